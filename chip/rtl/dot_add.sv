// The DOTADD unit: ((d0 c0 + d1 c1) + d2 c2) + offset, each operation rounded by itself. A tag,
// which says where the result goes, travels along: that is address generator 3 of the paper.
//
// Latency: a new row in each cycle. Operands that are read in cycle t stand in registers in cycle
// t + 1; six stages follow, the last of which ends in the register that the result is written to:
// it is at the output in cycle t + 6, and can be read from there in cycle t + 7.
//
//   stage     1    2    3    4         5         6
//   d0 c0     multiply       + d1 c1   + d2 c2   + offset

module dot_add #(
    parameter integer TAG = 6
) (
    input  logic           clock,
    input  logic           reset,
    input  logic           in_valid,
    input  logic [TAG-1:0] in_tag,
    input  logic [   31:0] d0,
    input  logic [   31:0] d1,
    input  logic [   31:0] d2,
    input  logic [   31:0] c0,
    input  logic [   31:0] c1,
    input  logic [   31:0] c2,
    input  logic [   31:0] offset,
    output logic           out_valid,
    output logic [TAG-1:0] out_tag,
    output logic [   31:0] result
);

  // ---- Whether there is a row in each stage, and where its result goes ----

  logic [5:0] valid;

  always_ff @(posedge clock) begin
    if (reset) valid <= 6'd0;
    else valid <= {valid[4:0], in_valid};
  end
  assign out_valid = valid[5];

  pipe_register #(
      .WIDTH(TAG),
      .STAGES(6)
  ) tags (
      .clock(clock),
      .in(in_tag),
      .out(out_tag)
  );

  // ---- The operand registers ----

  logic [31:0] d0_in, d1_in, d2_in, c0_in, c1_in, c2_in;

  always_ff @(posedge clock) begin
    {d0_in, d1_in, d2_in} <= {d0, d1, d2};
    {c0_in, c1_in, c2_in} <= {c0, c1, c2};
  end

  // ---- The stages ----

  logic [31:0] p0, p1, p2, p2_later, first_sum, second_sum, offset_later;

  float_multiply multiply_0 (
      .clock(clock),
      .a(d0_in),
      .b(c0_in),
      .product(p0)
  );
  float_multiply multiply_1 (
      .clock(clock),
      .a(d1_in),
      .b(c1_in),
      .product(p1)
  );
  float_multiply multiply_2 (
      .clock(clock),
      .a(d2_in),
      .b(c2_in),
      .product(p2)
  );

  pipe_register #(
      .WIDTH(32),
      .STAGES(1)
  ) wait_for_first_sum (
      .clock(clock),
      .in(p2),
      .out(p2_later)
  );
  pipe_register #(
      .WIDTH(32),
      .STAGES(6)
  ) wait_for_second_sum (
      .clock(clock),
      .in(offset),
      .out(offset_later)
  );

  float_add #(
      .STAGES(1)
  ) add_1 (
      .clock(clock),
      .a(p0),
      .b(p1),
      .subtract(1'b0),
      .sum(first_sum)
  );
  float_add #(
      .STAGES(1)
  ) add_2 (
      .clock(clock),
      .a(first_sum),
      .b(p2_later),
      .subtract(1'b0),
      .sum(second_sum)
  );
  float_add #(
      .STAGES(0)
  ) add_3 (
      .clock(clock),
      .a(second_sum),
      .b(offset_later),
      .subtract(1'b0),
      .sum(result)
  );

endmodule
