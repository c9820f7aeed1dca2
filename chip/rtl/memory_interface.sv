// The memory interface: a buffer of eight beats of 256 bits, for a pair of nodes or two records of
// triangles, between the bus and the registers.
//
// Interface
//   begin_tumbled, begin_aligned, begin_triangles
//                  what comes next, in the next cycle; the buffer is empty then
//   bus_valid, bus_data
//                  a beat from the bus; those of a burst follow each other
//   room_single, room_pair
//                  a burst of one or two nodes, or of a record, may begin in this cycle
//   node_there, available, take, beat
//                  towards the registers of the aligned node (see there)
//   compares_soon  the node there is compared at the latest in four cycles, if it is complete
//   first_beat, second_record
//                  the first beat of tumbled nodes or of a record; it is the second record's
//   word_index, word, lines_index, line
//                  what the buffer holds: a number, and four of them
//
// Latency: a beat of an aligned node is passed on in its own cycle, if nothing waits before it;
// others are in the buffer in the next one.

module memory_interface (
    input  logic         clock,
    input  logic         reset,
    input  logic         begin_tumbled,
    input  logic         begin_aligned,
    input  logic         begin_triangles,
    input  logic         bus_valid,
    input  logic [255:0] bus_data,
    output logic         room_single,
    output logic         room_pair,
    output logic         node_there,
    input  logic         available,
    input  logic         take,
    output logic [255:0] beat,
    input  logic         compares_soon,
    output logic         first_beat,
    output logic         second_record,
    input  logic [  5:0] word_index,
    output logic [ 31:0] word,
    input  logic [  3:0] line_index,
    output logic [127:0] line
);

  localparam logic [1:0] TUMBLED = 2'd0;
  localparam logic [1:0] ALIGNED = 2'd1;
  localparam logic [1:0] TRIANGLES = 2'd2;

  logic [255:0] buffer[0:7];
  logic [  1:0] what;
  logic [  2:0] in, out;
  logic         some;  // of tumbled nodes has arrived
  logic         empty;

  // ---- Beats come in, and go out to the registers of an aligned node ----

  assign empty = in == out && !buffer_full;
  assign beat = empty ? bus_data : buffer[out];

  // `in` and `out` are equal when there is nothing or all eight.
  logic       buffer_full;
  logic [2:0] in_next;
  always_comb begin
    in_next = in + 3'd1;
    // The second record has a half of its own.
    if (what == TRIANGLES && in == 3'd2) in_next = 3'd4;
  end

  always_ff @(posedge clock) begin
    if (reset || begin_tumbled || begin_aligned || begin_triangles) begin
      in <= 3'd0;
      out <= 3'd0;
      some <= 1'b0;
      buffer_full <= 1'b0;
      if (reset || begin_tumbled) what <= TUMBLED;
      else if (begin_aligned) what <= ALIGNED;
      else what <= TRIANGLES;
    end else begin
      if (bus_valid) begin
        in <= in_next;
        some <= 1'b1;
      end
      if (take) out <= out + 3'd1;
      if (bus_valid && !take) buffer_full <= in_next == out;
      else if (take && !bus_valid) buffer_full <= 1'b0;
    end
    if (bus_valid) buffer[in] <= bus_data;
  end

  assign first_beat = bus_valid &&
      ((what == TUMBLED && !some) || (what == TRIANGLES && (in == 3'd0 || in == 3'd4)));
  assign second_record = in[2];

  // ---- Aligned nodes that have not begun to go on to the registers ----

  logic [1:0] waiting, left_waiting;
  logic       arrives, leaves;
  assign arrives = what == ALIGNED && bus_valid && in[1:0] == 2'd0;
  assign node_there = what == ALIGNED && (waiting != 2'd0 || arrives);
  assign leaves = available && node_there;
  assign left_waiting = waiting - {1'b0, available && waiting != 2'd0};

  always_ff @(posedge clock) begin
    if (reset || begin_tumbled || begin_aligned || begin_triangles) waiting <= 2'd0;
    else waiting <= waiting + {1'b0, arrives} - {1'b0, leaves};
  end

  // Each node takes the place of one before it. The second node of a pair comes four cycles later.
  always_comb begin
    case (what)
      TUMBLED: begin
        room_single = !some;
        room_pair = !some;
      end
      ALIGNED: begin
        room_single = left_waiting <= 2'd1;
        room_pair = left_waiting == 2'd0 || (left_waiting == 2'd1 && compares_soon);
      end
      default: begin
        room_single = 1'b1;
        room_pair = 1'b1;
      end
    endcase
  end

  // ---- What the loader reads ----

  logic [255:0] word_beat, line_beat;
  assign word_beat = buffer[word_index[5:3]];
  assign word = word_beat[{word_index[2:0], 5'd0}+:32];
  assign line_beat = buffer[line_index[3:1]];
  assign line = line_index[0] ? line_beat[255:128] : line_beat[127:0];

endmodule
