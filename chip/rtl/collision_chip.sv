// The CollisionChip: all units of the collision chip paper's figure 5, for 24-DOPs.
//
// Interface
//   register_*    the driver's registers (register_map.sv)
//   request_*     a read from the memory is asked for: so many beats of 32 bytes, from an address
//                 in units of 128 bytes. Requests are answered in their order
//   room_*        a burst of one or two nodes, or of a record, may begin in this cycle
//   bus_*         the beats of the bursts, one per cycle
//   sram_*        the stack memory: one word of 36 bits per cycle; what is read is there in the
//                 next one
//   attention     a result waits, or the query is done
//   seen_*        what the chip does, for logic analysers and tests: two nodes or triangles that
//                 met, and what comes out of the DOTADD unit (target 0 and 1: the result banks)
//
// In the memory a node has 128 bytes: 24 numbers (lower bounds of the twelve slabs, then upper
// ones), its link, and 1 for an inner node or 2 for a leaf. A link is the pair of an inner node's
// children, which stand in places 2p and 2p + 1, or a leaf's triangle. A triangle has 128 bytes,
// too: three lines of its matrix, and three corners.
//
// Latency: see the units; a query's cycles are in a register. Reset takes one cycle.

module collision_chip (
    input  logic         clock,
    input  logic         reset,
    input  logic         register_write,
    input  logic [  8:0] register_address,
    input  logic [ 31:0] register_write_value,
    output logic [ 31:0] register_read_value,
    output logic         attention,
    output logic         request,
    output logic [ 31:0] request_address,
    output logic [  3:0] request_beats,
    output logic         room_single,
    output logic         room_pair,
    input  logic         bus_valid,
    input  logic [255:0] bus_data,
    output logic         sram_enable,
    output logic         sram_write,
    output logic [ 17:0] sram_address,
    output logic [ 35:0] sram_write_data,
    input  logic [ 35:0] sram_read_data,
    output logic [  1:0] seen_sides,
    output logic [  1:0] seen_overlap,
    output logic [ 31:0] seen_aligned,
    output logic [ 31:0] seen_tumbled,
    output logic         seen_triangles,
    output logic         seen_pierced,
    output logic [ 31:0] seen_triangle_a,
    output logic [ 31:0] seen_triangle_b,
    output logic         seen_result,
    output logic [  1:0] seen_target,
    output logic [  4:0] seen_index,
    output logic [ 31:0] seen_value
);

  // ---- The driver's registers ----

  logic        matrix_write, correspondence_write, start, compare_leaves;
  logic [ 5:0] matrix_line;
  logic [ 1:0] matrix_column;
  logic [ 6:0] correspondence_line;
  logic [31:0] register_value, root_a, root_b, nodes_a, nodes_b, triangles_a, triangles_b;
  logic [ 4:0] fill;
  logic [18:0] stack_words;
  logic        busy, finished, overflow, found, result_pending;
  logic [31:0] cycles, found_a, found_b;

  register_map registers (
      .clock(clock),
      .reset(reset),
      .write(register_write),
      .address(register_address),
      .write_value(register_write_value),
      .read_value(register_read_value),
      .matrix_write(matrix_write),
      .matrix_line(matrix_line),
      .matrix_column(matrix_column),
      .correspondence_write(correspondence_write),
      .correspondence_line(correspondence_line),
      .value(register_value),
      .start(start),
      .compare_leaves(compare_leaves),
      .fill(fill),
      .root_a(root_a),
      .root_b(root_b),
      .nodes_a(nodes_a),
      .nodes_b(nodes_b),
      .triangles_a(triangles_a),
      .triangles_b(triangles_b),
      .stack_words(stack_words),
      .busy(busy),
      .finished(finished),
      .overflow(overflow),
      .cycles(cycles),
      .found(found),
      .found_a(found_a),
      .found_b(found_b),
      .result_pending(result_pending)
  );
  assign attention = result_pending || !busy;
  assign seen_pierced = found;
  assign seen_triangle_a = found_a;
  assign seen_triangle_b = found_b;

  // ---- The master controller ----

  logic begin_tumbled, two_nodes, begin_aligned, begin_triangles, next_triangle, nodes_loaded;
  logic results_ready, results_soon, triangle_start, triangle_done, triangle_pierced, members_known;
  logic [1:0] member, member_leaf;
  logic [31:0] link_0, link_1, aligned_link;
  logic aligned_full, aligned_leaf, compared;
  logic [1:0] overlap;
  logic stack_start, close, flip, read_list, read_side, read_to_leaf, remove, added, head_valid;
  logic head_last, flipped, last_level;
  logic [1:0] push, begin_list, clear, not_empty;
  logic [32:0] entry_0, entry_1, word, head;

  master_controller controller (
      .clock(clock),
      .reset(reset),
      .start(start),
      .compare_leaves(compare_leaves),
      .root_b(root_b),
      .nodes_a(nodes_a),
      .nodes_b(nodes_b),
      .triangles_a(triangles_a),
      .triangles_b(triangles_b),
      .busy(busy),
      .finished(finished),
      .cycles(cycles),
      .found(found),
      .found_a(found_a),
      .found_b(found_b),
      .result_pending(result_pending),
      .request(request),
      .request_address(request_address),
      .request_beats(request_beats),
      .begin_tumbled(begin_tumbled),
      .two_nodes(two_nodes),
      .begin_aligned(begin_aligned),
      .begin_triangles(begin_triangles),
      .next_triangle(next_triangle),
      .nodes_loaded(nodes_loaded),
      .member(member),
      .member_leaf(member_leaf),
      .link_0(link_0),
      .link_1(link_1),
      .results_ready(results_ready),
      .triangle_done(triangle_done),
      .triangle_pierced(triangle_pierced),
      .aligned_full(aligned_full),
      .aligned_link(aligned_link),
      .aligned_leaf(aligned_leaf),
      .overlap(overlap),
      .compared(compared),
      .stack_start(stack_start),
      .close(close),
      .flip(flip),
      .push(push),
      .entry_0(entry_0),
      .entry_1(entry_1),
      .begin_list(begin_list),
      .clear(clear),
      .read_list(read_list),
      .read_side(read_side),
      .read_to_leaf(read_to_leaf),
      .remove(remove),
      .added(added),
      .word(word),
      .head_valid(head_valid),
      .head(head),
      .head_last(head_last),
      .not_empty(not_empty),
      .flipped(flipped),
      .last_level(last_level),
      .overflow(overflow),
      .seen_sides(seen_sides),
      .seen_overlap(seen_overlap),
      .seen_aligned(seen_aligned),
      .seen_tumbled(seen_tumbled),
      .seen_triangles(seen_triangles)
  );

  stack_engine stack (
      .clock(clock),
      .reset(reset),
      .words(stack_words),
      .start(stack_start),
      .start_entry({1'b1, root_a}),
      .open(members_known),
      .children_0(link_0),
      .children_1(link_1),
      .close(close),
      .flip(flip),
      .push(push),
      .entry_0(entry_0),
      .entry_1(entry_1),
      .begin_list(begin_list),
      .clear(clear),
      .read_list(read_list),
      .read_side(read_side),
      .read_to_leaf(read_to_leaf),
      .remove(remove),
      .added(added),
      .word(word),
      .head_valid(head_valid),
      .head(head),
      .head_last(head_last),
      .not_empty(not_empty),
      .flipped(flipped),
      .last_level(last_level),
      .overflow(overflow),
      .sram_enable(sram_enable),
      .sram_write(sram_write),
      .sram_address(sram_address),
      .sram_write_data(sram_write_data),
      .sram_read_data(sram_read_data)
  );

  // ---- Memory interface, and the registers of an aligned node ----

  logic node_there, available, take, first_beat, second_record;
  logic [255:0] beat;
  logic [5:0] word_index;
  logic [31:0] buffer_word;
  logic [3:0] line_index;
  logic [127:0] buffer_line;
  logic [767:0] aligned;

  memory_interface memory (
      .clock(clock),
      .reset(reset),
      .begin_tumbled(begin_tumbled),
      .begin_aligned(begin_aligned),
      .begin_triangles(begin_triangles),
      .bus_valid(bus_valid),
      .bus_data(bus_data),
      .room_single(room_single),
      .room_pair(room_pair),
      .node_there(node_there),
      .available(available),
      .take(take),
      .beat(beat),
      .compares_soon(results_soon),
      .first_beat(first_beat),
      .second_record(second_record),
      .word_index(word_index),
      .word(buffer_word),
      .line_index(line_index),
      .line(buffer_line)
  );

  aligned_registers aligned_node (
      .clock(clock),
      .reset(reset),
      .node_there(node_there),
      .beat(beat),
      .compared(compared),
      .available(available),
      .take(take),
      .full(aligned_full),
      .volume(aligned),
      .link(aligned_link),
      .leaf(aligned_leaf)
  );

  // ---- Register files, address generators and the DOTADD unit ----

  logic load_write, leaf_write, row_valid, result_valid;
  logic [4:0] load_index;
  logic [31:0] load_value, d_0, d_1, d_2, result;
  logic [5:0] leaf_line;
  logic [127:0] leaf_value, row_coefficients;
  logic [6:0] row_line, result_tag;
  logic [1:0] row_target;
  logic [3:0] edge_line;
  logic [25:0] row;

  transformer transforms (
      .clock(clock),
      .reset(reset),
      .fill(fill),
      .begin_tumbled(begin_tumbled),
      .two_nodes(two_nodes),
      .begin_triangles(begin_triangles),
      .next_triangle(next_triangle),
      .first_beat(first_beat),
      .second_record(second_record),
      .bus_valid(bus_valid),
      .bus_link({bus_data[33], bus_data[31:0]}),
      .word_index(word_index),
      .word(buffer_word),
      .line_index(line_index),
      .line(buffer_line),
      .load_write(load_write),
      .load_index(load_index),
      .load_value(load_value),
      .matrix_write(leaf_write),
      .matrix_line(leaf_line),
      .matrix_value(leaf_value),
      .row_valid(row_valid),
      .row_line(row_line),
      .row_target(row_target),
      .members_known(members_known),
      .member(member),
      .member_leaf(member_leaf),
      .link_0(link_0),
      .link_1(link_1),
      .nodes_loaded(nodes_loaded),
      .results_ready(results_ready),
      .results_soon(results_soon),
      .triangle_start(triangle_start)
  );

  matrix_file matrix (
      .clock(clock),
      .write_number(matrix_write),
      .number_line(matrix_line),
      .number_column(matrix_column),
      .number(register_value),
      .write_line(leaf_write),
      .written_line(leaf_line),
      .line_value(leaf_value),
      .line(row[25:20]),
      .value(row_coefficients)
  );

  // Rows are looked up for the DOTADD unit, and pairs for the triangle unit when there are none.
  correspondence_file correspondences (
      .clock(clock),
      .write(correspondence_write),
      .write_line(correspondence_line),
      .write_value(register_value[25:0]),
      .line(row_valid ? row_line : 7'd51 + {3'd0, edge_line}),
      .value(row)
  );

  logic to_file;
  assign to_file = result_valid && result_tag[6];

  dop_file dops (
      .clock(clock),
      .write(load_write || to_file),
      .write_index(load_write ? load_index : result_tag[4:0]),
      .write_value(load_write ? load_value : result),
      .index_0(row[4:0]),
      .index_1(row[9:5]),
      .index_2(row[14:10]),
      .value_0(d_0),
      .value_1(d_1),
      .value_2(d_2)
  );

  dot_add #(
      .TAG(7)
  ) unit (
      .clock(clock),
      .reset(reset),
      .in_valid(row_valid),
      .in_tag({row_target, row[19:15]}),
      .d0(d_0),
      .d1(d_1),
      .d2(d_2),
      .c0(row_coefficients[31:0]),
      .c1(row_coefficients[63:32]),
      .c2(row_coefficients[95:64]),
      .offset(row_coefficients[127:96]),
      .out_valid(result_valid),
      .out_tag(result_tag),
      .result(result)
  );
  assign seen_result = result_valid;
  assign seen_target = result_tag[6:5];
  assign seen_index = result_tag[4:0];
  assign seen_value = result;

  // ---- Result banks and comparators ----

  logic [767:0] tumbled_0, tumbled_1;

  result_bank results_0 (
      .clock(clock),
      .write(result_valid && result_tag[6:5] == 2'd0),
      .index(result_tag[4:0]),
      .value(result),
      .volume(tumbled_0)
  );
  result_bank results_1 (
      .clock(clock),
      .write(result_valid && result_tag[6:5] == 2'd1),
      .index(result_tag[4:0]),
      .value(result),
      .volume(tumbled_1)
  );
  comparators bank (
      .tumbled_0(tumbled_0),
      .tumbled_1(tumbled_1),
      .aligned(aligned),
      .overlap(overlap)
  );

  // ---- The triangle unit ----

  triangle_unit triangles (
      .clock(clock),
      .reset(reset),
      .start(triangle_start),
      .first(d_0),
      .second(d_1),
      .line(edge_line),
      .done(triangle_done),
      .pierced(triangle_pierced)
  );

endmodule
