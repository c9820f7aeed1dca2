// Adds two float32 numbers, or subtracts the second one.
//
// Rounded to nearest, ties to even; operands and results below 2^-126 are zeros of their sign; what
// has no value is the one NaN 0x7fc00000.
//
// Latency: STAGES cycles, a new pair in each: 3, or 1 with all of it before one register, or 0.

module float_add #(
    parameter integer STAGES = 3
) (
    input  logic        clock,
    input  logic [31:0] a,
    input  logic [31:0] b,
    input  logic        subtract,
    output logic [31:0] sum
);

  localparam integer INNER = (STAGES == 3) ? 1 : 0;
  localparam integer LAST = (STAGES == 0) ? 0 : 1;

  // ---- The larger and the smaller operand, the smaller one shifted under the larger one ----

  logic [31:0] x, y, big, little;
  assign x = (a[30:23] == 8'd0) ? {a[31], 31'd0} : a;
  assign y = (b[30:23] == 8'd0) ? {b[31] ^ subtract, 31'd0} : {b[31] ^ subtract, b[30:0]};

  logic swap, x_special, y_special, nan, special;
  assign swap = x[30:0] < y[30:0];
  assign big = swap ? y : x;
  assign little = swap ? x : y;
  assign x_special = x[30:23] == 8'd255;
  assign y_special = y[30:23] == 8'd255;
  assign special = x_special || y_special;
  // Of two special operands the larger one is a NaN if any is.
  assign nan = special && (big[22:0] != 23'd0 || (x_special && y_special && x[31] != y[31]));

  // Three bits below the 24: two of the number, and one for all that is below them.
  logic [ 7:0] distance;
  logic [26:0] big_mantissa, little_mantissa, shifted, lost;
  assign distance = big[30:23] - little[30:23];
  assign big_mantissa = {big[30:23] != 8'd0, big[22:0], 3'd0};
  assign little_mantissa = {little[30:23] != 8'd0, little[22:0], 3'd0};
  logic        far;
  assign far = distance > 8'd26;
  assign shifted = far ? 27'd0 : little_mantissa >> distance[4:0];
  assign lost = little_mantissa & (far ? 27'h7ffffff : ~(27'h7ffffff << distance[4:0]));

  logic        sign_1, alike_1, nan_1, special_1;
  logic [ 7:0] exponent_1;
  logic [26:0] big_1, little_1;

  pipe_register #(
      .WIDTH(66),
      .STAGES(INNER)
  ) after_alignment (
      .clock(clock),
      .in({big[31], big[31] == little[31], nan, special, big[30:23], big_mantissa,
           shifted[26:1], shifted[0] || lost != 27'd0}),
      .out({sign_1, alike_1, nan_1, special_1, exponent_1, big_1, little_1})
  );

  // ---- Sum or difference, its first bit brought to the top ----

  logic [27:0] total, normal;
  assign total = alike_1 ? {1'b0, big_1} + {1'b0, little_1} : {1'b0, big_1} - {1'b0, little_1};

  // The number of leading zeros, step by step.
  logic [27:0] by_16, by_8, by_4, by_2;
  logic [ 4:0] zeros;
  always_comb begin
    zeros[4] = total[27:12] == 16'd0;
    by_16 = zeros[4] ? {total[11:0], 16'd0} : total;
    zeros[3] = by_16[27:20] == 8'd0;
    by_8 = zeros[3] ? {by_16[19:0], 8'd0} : by_16;
    zeros[2] = by_8[27:24] == 4'd0;
    by_4 = zeros[2] ? {by_8[23:0], 4'd0} : by_8;
    zeros[1] = by_4[27:26] == 2'd0;
    by_2 = zeros[1] ? {by_4[25:0], 2'd0} : by_4;
    zeros[0] = !by_2[27];
    normal = zeros[0] ? {by_2[26:0], 1'b0} : by_2;
  end

  logic        sign_2, nan_2, special_2;
  logic [ 9:0] exponent_2;  // biased; below zero where it is above 511
  logic [27:0] mantissa_2;

  pipe_register #(
      .WIDTH(41),
      .STAGES(INNER)
  ) after_sum (
      .clock(clock),
      // A difference of nothing is +0.
      .in({sign_1 && (alike_1 || total != 28'd0), nan_1, special_1,
           {2'd0, exponent_1} + 10'd1 - {5'd0, zeros}, normal}),
      .out({sign_2, nan_2, special_2, exponent_2, mantissa_2})
  );

  // ---- Rounded, flushed or infinite ----

  logic        up;
  logic [23:0] rounded;  // the bits below the first one, and a carry
  logic [ 9:0] exponent;
  logic [31:0] result;
  assign up = mantissa_2[3] && (mantissa_2[4] || mantissa_2[2:0] != 3'd0);
  assign rounded = {1'b0, mantissa_2[26:4]} + {23'd0, up};
  assign exponent = exponent_2 + {9'd0, rounded[23]};

  always_comb begin
    if (nan_2) result = 32'h7fc00000;
    else if (special_2) result = {sign_2, 31'h7f800000};
    else if (!mantissa_2[27] || exponent[9] || exponent == 10'd0) result = {sign_2, 31'd0};
    else if (exponent > 10'd254) result = {sign_2, 31'h7f800000};
    else result = {sign_2, exponent[7:0], rounded[22:0]};
  end

  pipe_register #(
      .WIDTH(32),
      .STAGES(LAST)
  ) after_rounding (
      .clock(clock),
      .in(result),
      .out(sum)
  );

endmodule
