// Address generators 1 and 2: numbers go from the memory interface into the DOP register file, and
// rows of the correspondence register file into the DOTADD unit.
//
// Interface
//   begin_tumbled    one or two (`two_nodes`) tumbled nodes will come; their volumes go to the
//                    result banks
//   begin_triangles  two records will come; the corners of the first one go through both transforms
//                    and to the triangle unit, and after `next_triangle` those of the second one
//   first_beat, second_record, bus_valid, bus_link
//                    what the memory interface says of a beat, and the lowest bits of it
//   word_index, word, line_index, line
//                    numbers in the memory interface's buffer
//   members_known    link and kind of the tumbled nodes stand in their registers; high for one
//                    cycle
//   nodes_loaded     the last number of the tumbled nodes is written in this cycle
//   results_ready, results_soon
//                    the result banks are complete; in at most four cycles
//   triangle_start   the corners are in d0 to d8; high for one cycle
//
// Latency, with the first beat in cycle t and a fill of f cycles:
//   tumbled nodes    d0 is written in cycle t + 2, the first row issued in t + 2 + f; the second
//                    node follows when all rows of the first are issued; results are ready in
//                    the seventh cycle after that of the last row
//   triangles        d0 is written in cycle t + 5, and a leaf's matrix from then on; rows follow
//                    three cycles later, the second transform's behind those of the first

module transformer (
    input  logic         clock,
    input  logic         reset,
    input  logic [  4:0] fill,
    input  logic         begin_tumbled,
    input  logic         two_nodes,
    input  logic         begin_triangles,
    input  logic         next_triangle,
    input  logic         first_beat,
    input  logic         second_record,
    input  logic         bus_valid,
    input  logic [ 32:0] bus_link,
    output logic [  5:0] word_index,
    input  logic [ 31:0] word,
    output logic [  3:0] line_index,
    input  logic [127:0] line,
    output logic         load_write,
    output logic [  4:0] load_index,
    output logic [ 31:0] load_value,
    output logic         matrix_write,
    output logic [  5:0] matrix_line,
    output logic [127:0] matrix_value,
    output logic         row_valid,
    output logic [  6:0] row_line,
    output logic [  1:0] row_target,
    output logic         members_known,
    output logic [  1:0] member,
    output logic [  1:0] member_leaf,
    output logic [ 31:0] link_0,
    output logic [ 31:0] link_1,
    output logic         nodes_loaded,
    output logic         results_ready,
    output logic         results_soon,
    output logic         triangle_start
);

  // ---- What is on its way: tumbled nodes, or a triangle in one of two directions ----

  logic triangles, backward;

  always_ff @(posedge clock) begin
    if (reset || begin_tumbled) triangles <= 1'b0;
    else if (begin_triangles) triangles <= 1'b1;
    if (begin_triangles) backward <= 1'b0;
    else if (next_triangle) backward <= 1'b1;
  end

  // ---- Links and kinds of the tumbled nodes: in the last beat of each ----

  logic [2:0] beats;
  logic       reading_members, last_member;
  assign last_member = reading_members && bus_valid && beats == (member[1] ? 3'd7 : 3'd3);

  always_ff @(posedge clock) begin
    members_known <= last_member;
    if (reset) begin
      reading_members <= 1'b0;
      member <= 2'b00;
    end else if (begin_tumbled) begin
      reading_members <= 1'b1;
      member <= {two_nodes, 1'b1};
      member_leaf <= 2'b00;
      link_1 <= 32'd0;
      beats <= 3'd0;
    end else if (reading_members && bus_valid) begin
      beats <= beats + 3'd1;
      if (last_member) reading_members <= 1'b0;
      if (beats == 3'd3) {member_leaf[0], link_0} <= {bus_link[32], bus_link[31:0]};
      if (beats == 3'd7) {member_leaf[1], link_1} <= {bus_link[32], bus_link[31:0]};
    end
  end

  // ---- Address generator 1: a number is read from the buffer, and written one cycle later ----

  logic       load_start, loading, load_now, load_end;
  logic       first_node_done, second_node, second_node_now;
  logic [4:0] next_number, number, last_number;
  logic [3:0] corners_delay;
  logic       nodes_delay;

  // Numbers of tumbled nodes are read one cycle after their first beat, corners four cycles after
  // it.
  always_ff @(posedge clock) begin
    nodes_delay <= first_beat && !triangles && !reset;
    corners_delay <= reset ? 4'd0 : {corners_delay[2:0], first_beat && triangles && !second_record};
  end

  assign load_start = nodes_delay || corners_delay[3] || first_node_done || next_triangle;
  assign load_now = load_start || loading;
  assign number = load_start ? 5'd0 : next_number;
  assign last_number = triangles ? 5'd8 : 5'd23;
  assign load_end = load_now && number == last_number;
  assign second_node_now = nodes_delay ? 1'b0 : (first_node_done ? 1'b1 : second_node);

  // A node has 32 words. A record's corners are words 12 to 20; the second one begins at word 32.
  always_comb begin
    if (triangles) word_index = {backward || next_triangle, 5'd12 + number};
    else word_index = {second_node_now, number};
  end

  logic last_written;
  always_ff @(posedge clock) begin
    loading <= load_now && !load_end && !reset;
    next_number <= number + 5'd1;
    second_node <= second_node_now;
    load_write <= load_now && !reset;
    load_index <= number;
    load_value <= word;
    last_written <= load_end && !triangles && second_node_now == member[1] && !reset;
  end
  assign nodes_loaded = last_written;

  // ---- The matrix of a leaf: a line per cycle, once the record is there ----

  logic [4:0] record_delay;
  logic       lines_start, lines_active, matrix_ready;
  logic [1:0] next_line, line_number;

  always_ff @(posedge clock) begin
    if (reset) record_delay <= 5'd0;
    else record_delay <= {record_delay[3:0], first_beat && triangles && second_record};
  end

  logic next_triangle_later;
  assign lines_start = record_delay[4] || next_triangle_later;
  assign matrix_write = lines_start || lines_active;
  assign line_number = lines_start ? 2'd0 : next_line;
  assign line_index = {!backward, 1'b0, line_number};
  assign matrix_line = 6'd30 + {4'd0, line_number};
  assign matrix_value = line;

  always_ff @(posedge clock) begin
    next_triangle_later <= next_triangle && !reset;
    lines_active <= matrix_write && line_number != 2'd2 && !reset;
    next_line <= line_number + 2'd1;
    if (begin_triangles || next_triangle) matrix_ready <= 1'b0;
    else if (matrix_write && line_number == 2'd2) matrix_ready <= 1'b1;
  end

  // ---- Address generator 2: rows, one behind the other ----

  logic       fill_waits, rows_start, rows_active, row_end, second_transform, second_waits;
  logic [4:0] fill_left, next_row, row, last_row;

  assign rows_start = (fill_waits && fill_left == 5'd0) || (second_waits && matrix_ready);
  assign row_valid = rows_start || rows_active;
  assign row = rows_start ? 5'd0 : next_row;
  assign last_row = triangles ? 5'd8 : 5'd23;
  assign row_end = row_valid && row == last_row;
  assign first_node_done = row_end && !triangles && !second_node && member[1];

  always_comb begin
    if (!triangles) row_line = {2'd0, row};
    else if (second_transform) row_line = 7'd42 + {2'd0, row};
    else if (backward) row_line = 7'd33 + {2'd0, row};
    else row_line = 7'd24 + {2'd0, row};
    row_target = triangles ? 2'd2 : {1'b0, second_node};
  end

  always_ff @(posedge clock) begin
    if (reset) begin
      fill_waits <= 1'b0;
      rows_active <= 1'b0;
      second_waits <= 1'b0;
    end else begin
      if (load_start) fill_waits <= 1'b1;
      else if (fill_left == 5'd0) fill_waits <= 1'b0;
      rows_active <= row_valid && !row_end;
      if (second_waits && matrix_ready) second_waits <= 1'b0;
      else if (row_end && triangles && !second_transform) second_waits <= 1'b1;
    end
    if (load_start) fill_left <= triangles ? 5'd3 : fill;
    else if (fill_left != 5'd0) fill_left <= fill_left - 5'd1;
    next_row <= row + 5'd1;
    if (load_start) second_transform <= 1'b0;
    else if (row_end && triangles) second_transform <= 1'b1;
  end

  // ---- The last results come out of the pipeline ----

  logic       draining, drained, volumes_done, rows_over;
  logic [2:0] drain_left;
  assign rows_over = row_end && !first_node_done && (!triangles || second_transform);
  assign drained = draining && drain_left == 3'd0;
  assign results_ready = volumes_done || (drained && !triangles);
  assign results_soon = volumes_done || (draining && !triangles && drain_left <= 3'd4);
  assign triangle_start = drained && triangles;

  always_ff @(posedge clock) begin
    if (reset || drained) draining <= 1'b0;
    else if (rows_over) draining <= 1'b1;
    drain_left <= rows_over ? 3'd6 : drain_left - 3'd1;
    if (reset || begin_tumbled) volumes_done <= 1'b0;
    else if (drained && !triangles) volumes_done <= 1'b1;
  end

endmodule
