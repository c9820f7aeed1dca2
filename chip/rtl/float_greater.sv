// Whether a float32 number is greater than another one: numbers below 2^-126 are zeros, and no
// comparison with a NaN is true.
//
// Latency: none.

module float_greater (
    input  logic [31:0] a,
    input  logic [31:0] b,
    output logic        greater
);

  logic [30:0] a_size, b_size;
  assign a_size = (a[30:23] == 8'd0) ? 31'd0 : a[30:0];
  assign b_size = (b[30:23] == 8'd0) ? 31'd0 : b[30:0];

  logic ordered;
  assign ordered = a_size <= 31'h7f800000 && b_size <= 31'h7f800000;

  always_comb begin
    case ({a[31], b[31]})
      2'b00: greater = ordered && a_size > b_size;
      2'b01: greater = ordered && (a_size != 31'd0 || b_size != 31'd0);
      2'b10: greater = 1'b0;
      default: greater = ordered && a_size < b_size;
    endcase
  end

endmodule
