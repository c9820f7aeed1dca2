// The arithmetic units side by side, for the tests: the same operands for all.

module float_units (
    input  logic        clock,
    input  logic [31:0] a,
    input  logic [31:0] b,
    input  logic        subtract,
    output logic [31:0] product,  // after 3 cycles
    output logic [31:0] sum,      // after 3 cycles
    output logic [31:0] sum_at_once,  // after 1 cycle
    output logic        greater  // in the same cycle
);

  float_multiply multiply (
      .clock(clock),
      .a(a),
      .b(b),
      .product(product)
  );
  float_add #(
      .STAGES(3)
  ) add (
      .clock(clock),
      .a(a),
      .b(b),
      .subtract(subtract),
      .sum(sum)
  );
  float_add #(
      .STAGES(1)
  ) add_at_once (
      .clock(clock),
      .a(a),
      .b(b),
      .subtract(subtract),
      .sum(sum_at_once)
  );
  float_greater greater_than (
      .a(a),
      .b(b),
      .greater(greater)
  );

endmodule
