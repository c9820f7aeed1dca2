// The stack engine: the stack of lists in the external SRAM, pointers to tumbled pairs, and the
// flip bit of each level (section 3.2, figure 2).
//
// The SRAM has two ends: the first sibling's lists and the pointers grow from its bottom, the
// second's lists from its top. An entry is one word of 36 bits, a pointer of 32 bits and a flag for
// a leaf; a level begins with two words, the pointers to the pairs below its two tumbled nodes.
//
// Interface
//   start          the driver's list: one level, with `start_entry` for side 0
//   open           one level down, with the pairs below its two nodes; both of its lists are empty
//   close          one level up
//   flip           sets the flip bit, gives side 0's lists back, and reads the pointer of side 1,
//                  which is in `word` in the next cycle
//   push           an entry for each side
//   begin_list     another list of a side behind the one that it has
//   clear          all lists of a side are given back
//   read_list      the list that `read_side` has now is read into the queue, up to four entries
//                  ahead; with `read_to_leaf` no further than to a leaf until that is removed
//   added          an entry, in `word`, goes into the queue
//   remove         the head of the queue is done with
//   head_last      it is the last one of its list
//   not_empty      whether the list that each side has now has entries
//   overflow       a level or an entry did not fit; stays until `start`
//
// Latency: all take effect in the next cycle; a word that is read is there in the next cycle. The
// port of the SRAM takes one word per cycle: pushes come first, then the pointer, lists, and the
// pointers of a new level.

module stack_engine (
    input  logic        clock,
    input  logic        reset,
    input  logic [18:0] words,
    input  logic        start,
    input  logic [32:0] start_entry,
    input  logic        open,
    input  logic [31:0] children_0,
    input  logic [31:0] children_1,
    input  logic        close,
    input  logic        flip,
    input  logic [ 1:0] push,
    input  logic [32:0] entry_0,
    input  logic [32:0] entry_1,
    input  logic [ 1:0] begin_list,
    input  logic [ 1:0] clear,
    input  logic        read_list,
    input  logic        read_side,
    input  logic        read_to_leaf,
    input  logic        remove,
    output logic        added,
    output logic [32:0] word,
    output logic        head_valid,
    output logic [32:0] head,
    output logic        head_last,
    output logic [ 1:0] not_empty,
    output logic        flipped,
    output logic        last_level,
    output logic        overflow,
    output logic        sram_enable,
    output logic        sram_write,
    output logic [17:0] sram_address,
    output logic [35:0] sram_write_data,
    /* verilator lint_off UNUSEDSIGNAL */
    input  logic [35:0] sram_read_data
    /* verilator lint_on UNUSEDSIGNAL */
);

  localparam integer LEVELS = 64;

  // ---- The levels: where the lists of each side begin, and the flip bit ----

  logic [38:0] saved[0:LEVELS-1];
  logic [ 6:0] level;
  logic [18:0] base_0, base_1, begin_0, begin_1, top_0, top_1, free;
  logic [38:0] below;
  logic [ 5:0] level_below;
  logic        full;

  assign free = top_1 - top_0;
  assign level_below = level[5:0] - 6'd1;
  assign below = saved[level_below];
  assign not_empty = {begin_1 != top_1, top_0 != begin_0};
  assign last_level = level == 7'd1;
  assign full = (open && (free < 19'd2 || level[6])) ||
                (push == 2'b11 && free < 19'd2) || (push != 2'b00 && free == 19'd0);

  always_ff @(posedge clock) begin
    if (open) saved[level[5:0]] <= {flipped, base_1, base_0};
  end

  always_ff @(posedge clock) begin
    if (reset) begin
      level <= 7'd0;
      overflow <= 1'b0;
    end else if (start) begin
      level <= 7'd1;
      overflow <= 1'b0;
      flipped <= 1'b0;
      base_0 <= 19'd2;
      begin_0 <= 19'd2;
      top_0 <= 19'd3;
      base_1 <= words;
      begin_1 <= words;
      top_1 <= words;
    end else if (full) begin
      overflow <= 1'b1;
    end else if (open) begin
      level <= level + 7'd1;
      flipped <= 1'b0;
      base_0 <= top_0 + 19'd2;
      begin_0 <= top_0 + 19'd2;
      top_0 <= top_0 + 19'd2;
      base_1 <= top_1;
      begin_1 <= top_1;
    end else if (close) begin
      level <= level - 7'd1;
      top_0 <= base_0 - 19'd2;
      top_1 <= base_1;
      {flipped, base_1, base_0} <= below;
      begin_0 <= below[18:0];
      begin_1 <= below[37:19];
    end else begin
      if (flip) flipped <= 1'b1;
      if (flip || clear[0]) begin
        top_0 <= base_0;
        begin_0 <= base_0;
      end else begin
        if (push[0]) top_0 <= top_0 + 19'd1;
        if (begin_list[0]) begin_0 <= top_0;
      end
      if (clear[1]) begin
        top_1 <= base_1;
        begin_1 <= base_1;
      end else begin
        if (push[1]) top_1 <= top_1 - 19'd1;
        if (begin_list[1]) begin_1 <= top_1;
      end
    end
  end

  // ---- What waits for the port: the second of two pushes, and the pointers of a new level ----

  logic        late_push, late_push_done, late_frame_0, late_frame_1, frame_done;
  logic [17:0] late_address, frame_address;
  logic [32:0] late_entry;
  logic [31:0] frame_0, frame_1;

  always_ff @(posedge clock) begin
    if (reset || start) begin
      late_push <= 1'b0;
      late_frame_0 <= 1'b0;
      late_frame_1 <= 1'b0;
    end else begin
      if (push == 2'b11) late_push <= 1'b1;
      else if (late_push_done) late_push <= 1'b0;
      if (open) {late_frame_1, late_frame_0} <= 2'b11;
      else if (frame_done && late_frame_0) late_frame_0 <= 1'b0;
      else if (frame_done) late_frame_1 <= 1'b0;
    end
    if (push == 2'b11) begin
      late_address <= top_1[17:0] - 18'd1;
      late_entry <= entry_1;
    end
    if (open) begin
      frame_address <= top_0[17:0];
      frame_0 <= children_0;
      frame_1 <= children_1;
    end
  end

  // ---- The list that is read ----

  logic [18:0] left, left_stored, count_0, count_1;
  logic [17:0] address, address_stored;
  logic        side, side_stored, to_leaf, wanted, blocked, reading;
  logic [ 2:0] queued;
  logic [ 3:0] taken;
  logic        tail_leaf;

  assign count_0 = top_0 - begin_0;
  assign count_1 = begin_1 - top_1;
  assign side = read_list ? read_side : side_stored;
  assign left = read_list ? (read_side ? count_1 : count_0) : left_stored;
  assign address = read_list ? (read_side ? begin_1[17:0] - 18'd1 : begin_0[17:0]) : address_stored;
  assign taken = {1'b0, queued} + {3'd0, added} - {3'd0, remove};
  assign blocked = to_leaf && ((added && word[32]) || (queued != 3'd0 && tail_leaf));
  assign wanted = left != 19'd0 && taken < 4'd4 && !blocked;
  assign word = sram_read_data[32:0];

  always_ff @(posedge clock) begin
    if (reset || start) begin
      left_stored <= 19'd0;
      added <= 1'b0;
    end else begin
      left_stored <= left - {18'd0, reading};
      added <= reading;
    end
    side_stored <= side;
    if (reading) address_stored <= side ? address - 18'd1 : address + 18'd1;
    else address_stored <= address;
    if (read_list) to_leaf <= read_to_leaf;
  end

  entry_queue queue (
      .clock(clock),
      .clear(reset || start),
      .add(added),
      .entry(word),
      .remove(remove),
      .count(queued),
      .head(head),
      .tail_leaf(tail_leaf)
  );
  assign head_valid = queued != 3'd0;
  assign head_last = queued == 3'd1 && !added && left_stored == 19'd0;

  // ---- The port ----

  always_comb begin
    sram_enable = 1'b1;
    sram_write = 1'b1;
    sram_address = 18'd2;
    sram_write_data = {3'd0, start_entry};
    late_push_done = 1'b0;
    frame_done = 1'b0;
    reading = 1'b0;
    if (start) begin
    end else if (push[0]) begin
      sram_address = top_0[17:0];
      sram_write_data = {3'd0, entry_0};
    end else if (push[1]) begin
      sram_address = top_1[17:0] - 18'd1;
      sram_write_data = {3'd0, entry_1};
    end else if (late_push) begin
      sram_address = late_address;
      sram_write_data = {3'd0, late_entry};
      late_push_done = 1'b1;
    end else if (flip) begin
      sram_write = 1'b0;
      sram_address = base_0[17:0] - 18'd1;
    end else if (wanted) begin
      sram_write = 1'b0;
      sram_address = address;
      reading = 1'b1;
    end else if (late_frame_0 || late_frame_1) begin
      sram_address = late_frame_0 ? frame_address : frame_address + 18'd1;
      sram_write_data = {4'd0, late_frame_0 ? frame_0 : frame_1};
      frame_done = 1'b1;
    end else begin
      sram_enable = 1'b0;
      sram_write = 1'b0;
    end
  end

endmodule
