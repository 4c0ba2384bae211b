// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements of .npy files: every type and order, there and back.
#include "Npy.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <cmath>
#include <cstring>

using namespace tile;

namespace {

/// A file with some bytes, removed at the end of the test.
class TemporaryFile {
public:
  explicit TemporaryFile(llvm::StringRef bytes) {
    int descriptor;
    llvm::sys::fs::createTemporaryFile("tile-run-test", "npy", descriptor,
                                       path);
    llvm::raw_fd_ostream(descriptor, true) << bytes;
  }
  ~TemporaryFile() { llvm::sys::fs::remove(path); }
  llvm::StringRef getPath() const { return path; }

private:
  llvm::SmallString<64> path;
};

} // namespace

/// Writes a 2 x 5 x 7 array from one padded layout, and reads it into another.
template <class T>
static void roundTrip(ElementType type, bool fortranOrder) {
  std::vector<int64_t> shape = {2, 5, 7};
  std::vector<int64_t> from = {100, 9, 1}, to = {200, 1, 11};
  std::vector<T> source(300), target(400, T(-1));
  for (size_t i = 0; i < source.size(); ++i)
    source[i] = static_cast<T>(std::sin(double(i)));
  TemporaryFile disk(formatNpy(type, source.data(), shape, from, fortranOrder));
  Result<NpyFile> file = openNpy(disk.getPath());
  ASSERT_TRUE(file.succeeded()) << file.getReason();
  EXPECT_EQ(file->header.shape, shape);
  EXPECT_EQ(file->header.fortranOrder, fortranOrder);
  ASSERT_TRUE(canReadAs(file->header, type));
  readNpyElements(*file, type, target.data(), to);
  int64_t written = 0;
  for (int64_t b = 0; b < 2; ++b)
    for (int64_t i = 0; i < 5; ++i)
      for (int64_t j = 0; j < 7; ++j)
        EXPECT_EQ(target[b * 200 + i + j * 11], source[b * 100 + i * 9 + j]);
  for (T value : target)
    written += value != T(-1);
  EXPECT_EQ(written, 2 * 5 * 7);
}

TEST(Npy, RoundTrip) {
  for (bool fortranOrder : {false, true}) {
    roundTrip<float>(ElementType::F32, fortranOrder);
    roundTrip<double>(ElementType::F64, fortranOrder);
  }
}

TEST(Npy, CAndFortranOrderDifferInTheFile) {
  float data[] = {1, 2, 3, 4, 5, 6};
  std::string c = formatNpy(ElementType::F32, data, {2, 3}, {3, 1}, false);
  std::string f = formatNpy(ElementType::F32, data, {2, 3}, {3, 1}, true);
  float expectedC[] = {1, 2, 3, 4, 5, 6}, expectedF[] = {1, 4, 2, 5, 3, 6};
  EXPECT_EQ(std::memcmp(c.data() + c.size() - 24, expectedC, 24), 0);
  EXPECT_EQ(std::memcmp(f.data() + f.size() - 24, expectedF, 24), 0);
}

TEST(Npy, LargerThanABlockInBothDirections) {
  std::vector<float> data(130 * 70), back(130 * 70);
  for (size_t i = 0; i < data.size(); ++i)
    data[i] = static_cast<float>(i);
  TemporaryFile disk(
      formatNpy(ElementType::F32, data.data(), {130, 70}, {70, 1}, true));
  Result<NpyFile> file = openNpy(disk.getPath());
  ASSERT_TRUE(file.succeeded());
  readNpyElements(*file, ElementType::F32, back.data(), {70, 1});
  EXPECT_EQ(data, back);
}

TEST(Npy, HalfIsWidenedExactly) {
  EXPECT_EQ(halfToFloat(0x0000), 0.0f);
  EXPECT_TRUE(std::signbit(halfToFloat(0x8000)));
  EXPECT_EQ(halfToFloat(0x3c00), 1.0f);
  EXPECT_EQ(halfToFloat(0xc000), -2.0f);
  EXPECT_EQ(halfToFloat(0x3555), 0.333251953125f);
  EXPECT_EQ(halfToFloat(0x7bff), 65504.0f);
  EXPECT_EQ(halfToFloat(0x0400), 0x1p-14f);
  EXPECT_EQ(halfToFloat(0x0001), 0x1p-24f);
  EXPECT_EQ(halfToFloat(0x83ff), -0x1.ff8p-15f);
  EXPECT_EQ(halfToFloat(0x7c00), INFINITY);
  EXPECT_EQ(halfToFloat(0xfc00), -INFINITY);
  EXPECT_TRUE(std::isnan(halfToFloat(0x7e01)));

  uint16_t halves[] = {0x3c00, 0xc000, 0x0001, 0x7bff};
  std::string bytes = formatNpyHeader("<f2", false, {2, 2}) +
                      std::string(reinterpret_cast<char *>(halves), 8);
  TemporaryFile disk(bytes);
  Result<NpyFile> file = openNpy(disk.getPath());
  ASSERT_TRUE(file.succeeded());
  EXPECT_TRUE(canReadAs(file->header, ElementType::F32));
  EXPECT_FALSE(canReadAs(file->header, ElementType::F64));
  float values[4];
  readNpyElements(*file, ElementType::F32, values, {2, 1});
  EXPECT_EQ(values[1], -2.0f);
  EXPECT_EQ(values[3], 65504.0f);
}

TEST(Npy, OtherTypesAreNotReadable) {
  for (const char *descriptor : {"<i8", ">f4", "<f8", "<c8", "<u4"}) {
    Result<NpyHeader> header =
        parseNpyHeader(formatNpyHeader(descriptor, false, {2, 2}));
    ASSERT_TRUE(header.succeeded());
    EXPECT_FALSE(canReadAs(*header, ElementType::F32)) << descriptor;
  }
}

TEST(Npy, TheLengthOfTheFileCounts) {
  std::string header = formatNpyHeader("<f4", false, {2, 3});
  for (size_t bytes : {size_t(0), size_t(23), size_t(25), size_t(100)}) {
    TemporaryFile disk(header + std::string(bytes, 'x'));
    EXPECT_EQ(openNpy(disk.getPath()).getReason(),
              "expected 24 bytes of elements for shape (2, 3) of float32, but "
              "got " +
                  std::to_string(bytes));
  }
}

TEST(Npy, MissingFile) {
  EXPECT_EQ(openNpy("/does/not/exist.npy").getReason(),
            "cannot be read: no such file or directory");
}

// NumPy has no name for these types: the file holds the bits.
TEST(Npy, BitsOfSmallTypes) {
  const uint8_t bytes[] = {1, 2, 3, 0xff, 5, 6};
  for (auto [type, descriptor, columns] :
       {std::tuple(ElementType::F16, "'<f2'", 3),
        std::tuple(ElementType::BF16, "'<u2'", 3),
        std::tuple(ElementType::F8E4M3FN, "'|u1'", 6),
        std::tuple(ElementType::F8E5M2, "'|u1'", 6)}) {
    std::vector<int64_t> shape = {1, columns}, strides = {columns, 1};
    std::string written = formatNpy(type, bytes, shape, strides, false);
    EXPECT_NE(written.find(descriptor), std::string::npos);
    TemporaryFile disk(written);
    Result<NpyFile> file = openNpy(disk.getPath());
    ASSERT_TRUE(file.succeeded()) << file.getReason();
    ASSERT_TRUE(canReadAs(file->header, type));
    EXPECT_FALSE(canReadAs(file->header, ElementType::F64));
    uint8_t read[6] = {};
    readNpyElements(*file, type, read, strides);
    EXPECT_EQ(std::memcmp(read, bytes, 6), 0);
  }
}

TEST(Npy, RawBytesOfSmallTypes) {
  auto reads = [](llvm::StringRef descriptor, ElementType type) {
    std::string bytes = formatNpyHeader(descriptor, false, {0});
    Result<NpyHeader> header = parseNpyHeader(bytes);
    return header.succeeded() && canReadAs(*header, type);
  };
  EXPECT_TRUE(reads("<V2", ElementType::BF16));
  EXPECT_TRUE(reads("|V2", ElementType::BF16));
  EXPECT_TRUE(reads("|V1", ElementType::F8E5M2));
  EXPECT_FALSE(reads("|V1", ElementType::BF16));
  EXPECT_FALSE(reads("|V2", ElementType::F16));
  EXPECT_FALSE(reads(">u2", ElementType::BF16));
  EXPECT_FALSE(reads("<i2", ElementType::BF16));
}
