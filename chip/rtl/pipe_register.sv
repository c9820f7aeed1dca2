// What comes in, so many cycles later; a wire when STAGES is 0.
//
// Latency: STAGES cycles.

module pipe_register #(
    parameter integer WIDTH = 32,
    parameter integer STAGES = 1
) (
    /* verilator lint_off UNUSEDSIGNAL */
    input  logic             clock,
    /* verilator lint_on UNUSEDSIGNAL */
    input  logic [WIDTH-1:0] in,
    output logic [WIDTH-1:0] out
);

  generate
    if (STAGES == 0) begin : wires
      assign out = in;
    end else if (STAGES == 1) begin : one
      always_ff @(posedge clock) out <= in;
    end else begin : several
      logic [WIDTH*STAGES-1:0] stages;
      always_ff @(posedge clock) stages <= {stages[WIDTH*(STAGES-1)-1:0], in};
      assign out = stages[WIDTH*STAGES-1:WIDTH*(STAGES-1)];
    end
  endgenerate

endmodule
