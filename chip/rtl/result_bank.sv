// The results register bank of one tumbled node: d'0 to d'23, all of which the comparators see at
// once.
//
// Latency: what is written is there in the next cycle.

module result_bank (
    input  logic         clock,
    input  logic         write,
    input  logic [  4:0] index,
    input  logic [ 31:0] value,
    output logic [767:0] volume
);

  generate
    genvar i;
    for (i = 0; i < 24; i = i + 1) begin : number
      always_ff @(posedge clock) if (write && index == i) volume[32*i+:32] <= value;
    end
  endgenerate

endmodule
