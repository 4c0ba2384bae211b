// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Headers of .npy files: what NumPy writes, and every way to break one.
#include "Npy.h"

#include "gtest/gtest.h"
#include <random>

using namespace tile;

/// A file that consists of a header in version 1.0 with this dictionary.
static std::string makeHeader(llvm::StringRef dictionary, char major = 1,
                              char minor = 0) {
  std::string bytes = "\x93NUMPY";
  bytes += major;
  bytes += minor;
  size_t size = dictionary.size();
  for (int i = 0, end = major == 1 ? 2 : 4; i < end; ++i)
    bytes += static_cast<char>(size >> (8 * i) & 0xff);
  return bytes + dictionary.str();
}

static std::string reasonOf(llvm::StringRef bytes) {
  return parseNpyHeader(bytes).getReason();
}

static std::string reasonOfDictionary(llvm::StringRef dictionary) {
  return reasonOf(makeHeader(dictionary));
}

TEST(NpyHeader, WhatNumPyWrites) {
  std::string bytes = makeHeader(
      "{'descr': '<f4', 'fortran_order': False, 'shape': (96, 80), }    \n");
  Result<NpyHeader> header = parseNpyHeader(bytes);
  ASSERT_TRUE(header.succeeded()) << header.getReason();
  EXPECT_EQ(header->typeName, "float32");
  EXPECT_EQ(header->itemBytes, 4);
  EXPECT_TRUE(header->littleEndian);
  EXPECT_FALSE(header->fortranOrder);
  EXPECT_EQ(header->shape, (std::vector<int64_t>{96, 80}));
  EXPECT_EQ(header->dataOffset, static_cast<int64_t>(bytes.size()));
  EXPECT_EQ(header->dataBytes, 96 * 80 * 4);
}

TEST(NpyHeader, VersionsTwoAndThreeHaveALongerLength) {
  for (char version : {2, 3}) {
    std::string bytes = makeHeader(
        "{'shape': (5,), 'fortran_order': True, 'descr': \"<f8\"}\n", version);
    Result<NpyHeader> header = parseNpyHeader(bytes);
    ASSERT_TRUE(header.succeeded()) << header.getReason();
    EXPECT_EQ(header->typeName, "float64");
    EXPECT_TRUE(header->fortranOrder);
    EXPECT_EQ(header->shape, (std::vector<int64_t>{5}));
    EXPECT_EQ(header->dataOffset, static_cast<int64_t>(bytes.size()));
  }
}

TEST(NpyHeader, ScalarsPython2AndEmptyExtents) {
  Result<NpyHeader> scalar = parseNpyHeader(
      makeHeader("{'descr':'<f4','fortran_order':False,'shape':()}"));
  ASSERT_TRUE(scalar.succeeded());
  EXPECT_EQ(scalar->elements, 1);
  Result<NpyHeader> python2 = parseNpyHeader(makeHeader(
      "{'descr': '<f4', 'fortran_order': False, 'shape': (3L, 4L)}"));
  ASSERT_TRUE(python2.succeeded());
  EXPECT_EQ(python2->elements, 12);
  // The other extent alone would overflow together with the element size.
  Result<NpyHeader> empty = parseNpyHeader(
      makeHeader("{'descr': '<f4', 'fortran_order': False, 'shape': (0, "
                 "9223372036854775807)}"));
  ASSERT_TRUE(empty.succeeded());
  EXPECT_EQ(empty->dataBytes, 0);
}

TEST(NpyHeader, NamesOfTypes) {
  std::pair<const char *, const char *> cases[] = {
      {"<f2", "float16"},       {"<f4", "float32"},     {"<f8", "float64"},
      {"<i8", "int64"},         {"|i1", "int8"},        {"<u2", "uint16"},
      {"|b1", "bool"},          {"<c16", "complex128"}, {"=f4", "float32"},
      {"<M8[ns]", "'<M8[ns]'"}, {"<U7", "'<U7'"}};
  for (auto [descriptor, name] : cases) {
    Result<NpyHeader> header = parseNpyHeader(
        makeHeader(std::string("{'descr': '") + descriptor +
                   "', 'fortran_order': False, 'shape': (2,), }"));
    ASSERT_TRUE(header.succeeded()) << header.getReason();
    EXPECT_EQ(header->typeName, name);
    EXPECT_TRUE(header->littleEndian);
  }
  Result<NpyHeader> big = parseNpyHeader(
      makeHeader("{'descr': '>f4', 'fortran_order': False, 'shape': (2,), }"));
  ASSERT_TRUE(big.succeeded());
  EXPECT_FALSE(big->littleEndian);
}

TEST(NpyHeader, BrokenBeginning) {
  EXPECT_EQ(reasonOf(""), "expected a .npy file, but got an empty file");
  EXPECT_EQ(reasonOf("\x93NUM"),
            "expected a .npy file, but it ends within the first 6 bytes");
  EXPECT_EQ(reasonOf("hello, world"),
            "expected a .npy file, which starts with \\x93NUMPY, but got other "
            "bytes");
  EXPECT_EQ(reasonOf("\x93NUMPY\x01"),
            "expected a header of at least 10 bytes, but got a file of 7");
  EXPECT_EQ(reasonOf(makeHeader("{}", 4)),
            "expected .npy version 1.0, 2.0 or 3.0, but got 4.0");
  EXPECT_EQ(reasonOf(makeHeader("{}", 1, 7)),
            "expected .npy version 1.0, 2.0 or 3.0, but got 1.7");
  EXPECT_EQ(reasonOf(std::string("\x93NUMPY\x02\0\1\0", 10)),
            "expected a header of at least 12 bytes, but got a file of 10");
  EXPECT_EQ(reasonOf(std::string("\x93NUMPY\x01\0\x76\0{'descr'", 18)),
            "expected a header of 118 bytes, but got a file that ends after 8 "
            "of them");
  EXPECT_EQ(reasonOf(std::string("\x93NUMPY\x02\0\xff\xff\xff\xff{}", 14)),
            "expected a header of at most 1048576 bytes, but got 4294967295");
}

TEST(NpyHeader, BrokenDictionary) {
  EXPECT_EQ(reasonOfDictionary("nonsense"),
            "expected '{' in the header, but got 'nonsense' at character 0");
  EXPECT_EQ(reasonOfDictionary("{"),
            "expected a key such as 'shape' in the header, but got its end at "
            "character 1");
  EXPECT_EQ(reasonOfDictionary("{'descr'}"),
            "expected ':' after a key in the header, but got '}' at character "
            "8");
  EXPECT_EQ(reasonOfDictionary("{'descr': '<f4'"),
            "expected ',' or '}' after a value in the header, but got its end "
            "at character 15");
  EXPECT_EQ(reasonOfDictionary("{'descr': '<f4', 'descr': '<f4'}"),
            "expected each key once in the header, but got 'descr' twice");
  EXPECT_EQ(reasonOfDictionary("{'extra': 1}"),
            "expected the keys descr, fortran_order and shape in the header, "
            "but got 'extra'");
  EXPECT_EQ(reasonOfDictionary("{'descr': '<f4'}"),
            "expected the keys descr, fortran_order and shape in the header, "
            "but got 1 of them");
  EXPECT_EQ(
      reasonOfDictionary(
          "{'descr': '<f4', 'fortran_order': False, 'shape': ()} x"),
      "expected nothing after '}' in the header, but got 'x' at character "
      "54");
  EXPECT_EQ(
      reasonOfDictionary("{'fortran_order': None}"),
      "expected True or False in the header, but got 'None}' at character "
      "18");
}

TEST(NpyHeader, BrokenTypeOrShape) {
  EXPECT_EQ(reasonOfDictionary("{'descr': [('x', '<f4')]}"),
            "expected an array of numbers, but got one of records");
  EXPECT_EQ(reasonOfDictionary("{'descr': '|O'}"),
            "expected an array of numbers, but got one of Python objects");
  EXPECT_EQ(reasonOfDictionary("{'descr': 'four'}"),
            "expected a type such as '<f4' in the header, but got 'four'");
  EXPECT_EQ(reasonOfDictionary("{'descr': ''}"),
            "expected a type such as '<f4' in the header, but got ''");
  EXPECT_EQ(reasonOfDictionary("{'descr': '<f99999999999999999999'}"),
            "expected a type such as '<f4' in the header, but got "
            "'<f99999999999999999999'");
  EXPECT_EQ(reasonOfDictionary("{'shape': 5}"),
            "expected a shape such as (3, 4) in the header, but got '5}' at "
            "character 10");
  EXPECT_EQ(
      reasonOfDictionary("{'shape': (-1,)}"),
      "expected an extent in the header, but got '-1,)}' at character 11");
  EXPECT_EQ(reasonOfDictionary("{'shape': (99999999999999999999,)}"),
            "expected an extent in the header, but got "
            "'99999999999999999999,)}' at character 11");
  EXPECT_EQ(
      reasonOfDictionary("{'shape': (3 4)}"),
      "expected ',' or ')' after an extent in the header, but got '4)}' at "
      "character 13");
  EXPECT_EQ(reasonOfDictionary("{'descr': '<f8', 'fortran_order': False, "
                               "'shape': (4294967296, 4294967296)}"),
            "expected an array of less than 2^63 bytes, but got shape "
            "(4294967296, 4294967296)");
}

TEST(NpyHeader, AnyBytesAreSafe) {
  std::mt19937 random(1);
  std::string good = makeHeader(
      "{'descr': '<f4', 'fortran_order': False, 'shape': (96, 80), }\n");
  for (int round = 0; round < 20000; ++round) {
    std::string bytes = good.substr(0, random() % (good.size() + 1));
    for (int i = 0, end = random() % 4; i < end && !bytes.empty(); ++i)
      bytes[random() % bytes.size()] = static_cast<char>(random());
    Result<NpyHeader> header = parseNpyHeader(bytes);
    // Whatever is accepted lies within the bytes.
    if (header)
      EXPECT_LE(header->dataOffset, static_cast<int64_t>(bytes.size()));
    else
      EXPECT_FALSE(header.getReason().empty());
  }
}

TEST(NpyHeader, WritingAlignsTheElements) {
  for (int64_t extent = 1; extent < 1000000000000; extent *= 7) {
    std::string text = formatNpyHeader("<f4", true, {extent, 3, extent});
    EXPECT_EQ(text.size() % 64, 0u);
    EXPECT_EQ(text.back(), '\n');
    Result<NpyHeader> header = parseNpyHeader(text);
    ASSERT_TRUE(header.succeeded() || extent > 1000000000);
    if (header) {
      EXPECT_EQ(header->shape, (std::vector<int64_t>{extent, 3, extent}));
      EXPECT_TRUE(header->fortranOrder);
    }
  }
}
