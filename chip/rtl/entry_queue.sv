// Four entries of a list, the one that is at work among them; a first-in first-out queue.
//
// Latency: what is added in one cycle is at the head, if it is the first, in the next one.

module entry_queue (
    input  logic        clock,
    input  logic        clear,
    input  logic        add,
    input  logic [32:0] entry,
    input  logic        remove,
    output logic [ 2:0] count,
    output logic [32:0] head,
    output logic        tail_leaf  // of the newest one
);

  logic [131:0] entries;  // the oldest one in the lowest bits
  logic [  2:0] place;    // of an entry that is added now
  logic [131:0] kept;

  assign kept = remove ? {33'd0, entries[131:33]} : entries;
  assign place = remove ? count - 3'd1 : count;
  assign head = entries[32:0];
  always_comb begin
    case (count)
      3'd1: tail_leaf = entries[32];
      3'd2: tail_leaf = entries[65];
      3'd3: tail_leaf = entries[98];
      default: tail_leaf = entries[131];
    endcase
  end

  always_ff @(posedge clock) begin
    if (clear) begin
      count <= 3'd0;
    end else begin
      count <= place + {2'd0, add};
      entries <= kept;
      if (add) begin
        case (place)
          3'd0: entries[32:0] <= entry;
          3'd1: entries[65:33] <= entry;
          3'd2: entries[98:66] <= entry;
          default: entries[131:99] <= entry;
        endcase
      end
    end
  end

endmodule
