// The registers e0 to e23 of an aligned node, its link and its kind, filled from the memory
// interface by four transfers.
//
// Interface: `available` is high when a node may begin to be loaded: there is none, or it is
// compared in this cycle. `node_there` says that the memory interface has one to give. `take` asks
// for its next beat, which is in `beat` in the same cycle.
//
// Latency: a node that begins to be loaded in cycle t is `full` from cycle t + 4.

module aligned_registers (
    input  logic         clock,
    input  logic         reset,
    input  logic         node_there,
    /* verilator lint_off UNUSEDSIGNAL */
    input  logic [255:0] beat,
    /* verilator lint_on UNUSEDSIGNAL */
    input  logic         compared,
    output logic         available,
    output logic         take,
    output logic         full,
    output logic [767:0] volume,
    output logic [ 31:0] link,
    output logic         leaf
);

  logic       loading;
  logic [1:0] next;

  assign available = !loading && (!full || compared);
  assign take = loading || (available && node_there);

  always_ff @(posedge clock) begin
    if (reset) begin
      loading <= 1'b0;
      full <= 1'b0;
      next <= 2'd0;
    end else begin
      if (compared) full <= 1'b0;
      if (take) begin
        next <= next + 2'd1;
        loading <= next != 2'd3;
        if (next == 2'd3) full <= 1'b1;
      end
    end
    if (take) begin
      case (next)
        2'd0: volume[255:0] <= beat;
        2'd1: volume[511:256] <= beat;
        2'd2: volume[767:512] <= beat;
        default: begin
          link <= beat[31:0];
          leaf <= beat[33];
        end
      endcase
    end
  end

endmodule
