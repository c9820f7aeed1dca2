// The master controller: a query, from the roots to the triangles that intersect (section 4.1).
//
//   START     the driver's list is written: A's root, for B's root
//   BEGIN     cycle 0 of the query: the visit of B's root begins
//   VISIT     one or two tumbled nodes are loaded and transformed, and meet the nodes on a list
//   LEAF      a tumbled leaf meets the nodes on a list of its own
//   TRIANGLES two triangles are tested
//   FOUND     the answer is there; an intersection waits here while the driver has not taken the
//             one before
//   DECIDE    the next list of a leaf, or down into the first branch, or back
//   BACK      one level up, or its flip bit is set and the pointer of its second branch read
//   SECOND    the visit of that begins
//
// Interface: strobes towards the other units, high in the cycle in which something begins; requests
// to the memory in units of 128 bytes. A pointer of a list entry is a pair of nodes, or, with the
// flag (bit 32), the place of a single one; on lists of leaves, with the flag, a triangle.
//
// Latency: each state but VISIT, LEAF and TRIANGLES takes one cycle.

module master_controller (
    input  logic        clock,
    input  logic        reset,
    // the driver
    input  logic        start,
    input  logic        compare_leaves,
    input  logic [31:0] root_b,
    input  logic [31:0] nodes_a,
    input  logic [31:0] nodes_b,
    input  logic [31:0] triangles_a,
    input  logic [31:0] triangles_b,
    output logic        busy,
    output logic        finished,
    output logic [31:0] cycles,
    output logic        found,
    output logic [31:0] found_a,
    output logic [31:0] found_b,
    input  logic        result_pending,
    // the memory
    output logic        request,
    output logic [31:0] request_address,
    output logic [ 3:0] request_beats,
    // the transforms
    output logic        begin_tumbled,
    output logic        two_nodes,
    output logic        begin_aligned,
    output logic        begin_triangles,
    output logic        next_triangle,
    input  logic        nodes_loaded,
    input  logic [ 1:0] member,
    input  logic [ 1:0] member_leaf,
    input  logic [31:0] link_0,
    input  logic [31:0] link_1,
    input  logic        results_ready,
    input  logic        triangle_done,
    input  logic        triangle_pierced,
    // the comparators
    input  logic        aligned_full,
    input  logic [31:0] aligned_link,
    input  logic        aligned_leaf,
    input  logic [ 1:0] overlap,
    output logic        compared,
    // the stack engine
    output logic        stack_start,
    output logic        close,
    output logic        flip,
    output logic [ 1:0] push,
    output logic [32:0] entry_0,
    output logic [32:0] entry_1,
    output logic [ 1:0] begin_list,
    output logic [ 1:0] clear,
    output logic        read_list,
    output logic        read_side,
    output logic        read_to_leaf,
    output logic        remove,
    input  logic        added,
    input  logic [32:0] word,
    input  logic        head_valid,
    input  logic [32:0] head,
    input  logic        head_last,
    input  logic [ 1:0] not_empty,
    input  logic        flipped,
    input  logic        last_level,
    input  logic        overflow,
    // what happens, for whoever watches
    output logic [ 1:0] seen_sides,
    output logic [ 1:0] seen_overlap,
    output logic [31:0] seen_aligned,
    output logic [31:0] seen_tumbled,
    output logic        seen_triangles
);

  localparam logic [3:0] IDLE = 4'd0;
  localparam logic [3:0] START = 4'd1;
  localparam logic [3:0] BEGIN = 4'd2;
  localparam logic [3:0] VISIT = 4'd3;
  localparam logic [3:0] LEAF = 4'd4;
  localparam logic [3:0] TRIANGLES = 4'd5;
  localparam logic [3:0] FOUND = 4'd6;
  localparam logic [3:0] DECIDE = 4'd7;
  localparam logic [3:0] BACK = 4'd8;
  localparam logic [3:0] SECOND = 4'd9;

  logic [3:0] state;
  assign busy = state != IDLE;

  logic failed;
  assign failed = busy && state != START && overflow;

  // ---- What comes next ----

  logic list_0, list_1, down, list_done, entry_done, go_on, second_direction, pierced;
  logic leaf_side, second_of_pair, ask_second;

  assign list_0 = state == DECIDE && member_leaf[0] && not_empty[0];
  assign list_1 = state == DECIDE && !list_0 && member_leaf[1] && not_empty[1];
  assign down = state == DECIDE && !list_0 && !list_1 && !member_leaf[0] && not_empty[0];
  assign begin_triangles = state == LEAF && head_valid && head[32];
  assign next_triangle = state == TRIANGLES && triangle_done && !triangle_pierced &&
                         !second_direction;
  assign go_on = state == FOUND && !(pierced && result_pending);
  assign remove = entry_done || go_on;
  assign list_done = remove && head_last;
  assign close = state == BACK && flipped;
  assign flip = state == BACK && !flipped;
  assign finished = (close && last_level) || failed;

  always_ff @(posedge clock) begin
    if (reset || failed) begin
      state <= IDLE;
    end else begin
      case (state)
        IDLE: if (start) state <= START;
        START: state <= BEGIN;
        BEGIN: state <= VISIT;
        VISIT: if (list_done) state <= DECIDE;
        LEAF: begin
          if (begin_triangles) state <= TRIANGLES;
          else if (list_done) state <= DECIDE;
        end
        TRIANGLES: if (triangle_done && !next_triangle) state <= FOUND;
        FOUND: if (go_on) state <= head_last ? DECIDE : LEAF;
        DECIDE: begin
          if (list_0 || list_1) state <= LEAF;
          else if (down) state <= VISIT;
          else state <= BACK;
        end
        BACK: begin
          if (close && last_level) state <= IDLE;
          else if (flip && not_empty[1]) state <= SECOND;
        end
        SECOND: state <= VISIT;
        default: state <= IDLE;
      endcase
    end
    if (state == START) cycles <= 32'd0;
    else if (busy && !finished) cycles <= cycles + 32'd1;
    if (state == DECIDE) leaf_side <= list_1;
    if (begin_triangles) second_direction <= 1'b0;
    else if (next_triangle) second_direction <= 1'b1;
    if (state == TRIANGLES && triangle_done) pierced <= triangle_pierced;
    ask_second <= begin_triangles;
  end

  // ---- A visit: which tumbled nodes, and which list they meet ----

  logic [31:0] place, tumbled;
  assign begin_tumbled = state == BEGIN || down || state == SECOND;
  assign two_nodes = state != BEGIN;
  always_comb begin
    if (state == BEGIN) place = root_b;
    else if (state == SECOND) place = {word[30:0], 1'b0};
    else place = {link_0[30:0], 1'b0};
  end
  always_ff @(posedge clock) if (begin_tumbled) tumbled <= place;

  assign stack_start = state == START;
  assign read_list = begin_tumbled || list_0 || list_1;
  assign read_side = list_1 || state == SECOND;
  assign read_to_leaf = list_0 || list_1;
  assign begin_list = {list_1, list_0};
  assign clear = {2{state == DECIDE}} & member_leaf & ~not_empty;
  // The memory interface holds aligned nodes once it has no tumbled ones, and for lists of leaves.
  assign begin_aligned = nodes_loaded || list_0 || list_1 || go_on;

  // ---- Requests to the memory ----

  always_comb begin
    request = 1'b1;
    request_address = nodes_a + (word[32] ? word[31:0] : {word[30:0], 1'b0});
    request_beats = word[32] ? 4'd4 : 4'd8;
    if (begin_tumbled) begin
      request_address = nodes_b + place;
      request_beats = two_nodes ? 4'd8 : 4'd4;
    end else if (begin_triangles) begin
      request_address = triangles_a + head[31:0];
      request_beats = 4'd3;
    end else if (ask_second) begin
      request_address = triangles_b + found_b;
      request_beats = 4'd3;
    end else begin
      // A triangle's record is asked for when its turn comes.
      request = added && !(state == LEAF && word[32]);
    end
  end

  // ---- An aligned node against one or two tumbled ones ----

  logic [ 1:0] both_leaves;
  logic [31:0] aligned_place;
  assign compared = (state == VISIT || state == LEAF) && aligned_full && results_ready;
  assign entry_done = compared && (head[32] || second_of_pair);
  assign both_leaves = {2{aligned_leaf}} & member_leaf;
  assign aligned_place = head[32] ? head[31:0] : {head[30:0], second_of_pair};
  assign seen_sides = !compared ? 2'b00 : (state == VISIT ? member : {leaf_side, !leaf_side});
  assign seen_overlap = overlap | (compare_leaves ? 2'b00 : both_leaves);
  assign seen_aligned = aligned_place;
  assign seen_tumbled = tumbled;
  assign push = seen_sides & seen_overlap;
  assign entry_0 = {aligned_leaf, aligned_leaf && !member_leaf[0] ? aligned_place : aligned_link};
  assign entry_1 = {aligned_leaf, aligned_leaf && !member_leaf[1] ? aligned_place : aligned_link};

  always_ff @(posedge clock) begin
    if (reset || state == START) second_of_pair <= 1'b0;
    else if (compared) second_of_pair <= !entry_done;
  end

  // ---- Two triangles ----

  assign found_a = head[31:0];
  assign found_b = leaf_side ? link_1 : link_0;
  assign seen_triangles = go_on;
  assign found = go_on && pierced;

endmodule
