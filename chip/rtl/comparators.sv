// The bank of comparators: two tumbled volumes against one aligned volume, all slabs at once
// (equation 2). Touching overlaps.
//
// A volume is 24 numbers of 32 bits, number 0 in the lowest bits: lower bounds of the twelve slabs,
// then upper bounds.
//
// Latency: none.

module comparators (
    input  logic [767:0] tumbled_0,
    input  logic [767:0] tumbled_1,
    input  logic [767:0] aligned,
    output logic [  1:0] overlap
);

  localparam integer SLABS = 12;

  logic [2*SLABS-1:0] apart_0, apart_1;

  generate
    genvar i;
    for (i = 0; i < SLABS; i = i + 1) begin : slab
      localparam integer LOWER = 32 * i;
      localparam integer UPPER = 32 * (i + SLABS);
      float_greater above_0 (
          .a(tumbled_0[LOWER+:32]),
          .b(aligned[UPPER+:32]),
          .greater(apart_0[2*i])
      );
      float_greater below_0 (
          .a(aligned[LOWER+:32]),
          .b(tumbled_0[UPPER+:32]),
          .greater(apart_0[2*i+1])
      );
      float_greater above_1 (
          .a(tumbled_1[LOWER+:32]),
          .b(aligned[UPPER+:32]),
          .greater(apart_1[2*i])
      );
      float_greater below_1 (
          .a(aligned[LOWER+:32]),
          .b(tumbled_1[UPPER+:32]),
          .greater(apart_1[2*i+1])
      );
    end
  endgenerate

  assign overlap = {apart_1 == 24'd0, apart_0 == 24'd0};

endmodule
