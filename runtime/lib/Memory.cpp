// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C API: buffers, streams and events.
#include "Error.h"
#include "Handles.h"

using namespace tile::rt;

using Long = long long;

TileRtStatus tile::rt::nativeStream(const Device *device, TileRtStream stream,
                                    void *&native) {
  if (stream && stream->device.get() != device)
    return fail(TILE_RT_INVALID_ARGUMENT,
                "expected a stream of the same device, but got one of another");
  native = stream ? stream->native : nullptr;
  return TILE_RT_SUCCESS;
}

TileRtStatus tileRtBufferCreate(TileRtDevice device, int64_t bytes,
                                TileRtBuffer *buffer) {
  if (!device || !buffer)
    return fail(TILE_RT_INVALID_ARGUMENT,
                "expected a device and an output, but got null");
  if (bytes < 0)
    return fail(TILE_RT_INVALID_ARGUMENT,
                format("expected a buffer of at least 0 bytes, but got %lld",
                       Long(bytes)));
  void *address;
  TileRtStatus status = device->device->allocate(bytes, address);
  if (status != TILE_RT_SUCCESS)
    return status;
  *buffer = new TileRtBufferImpl{device->device, address, bytes};
  return TILE_RT_SUCCESS;
}

void tileRtBufferDestroy(TileRtBuffer buffer) {
  if (buffer)
    buffer->device->release(buffer->address);
  delete buffer;
}

void *tileRtBufferGetAddress(TileRtBuffer buffer) {
  return buffer ? buffer->address : nullptr;
}

int64_t tileRtBufferGetSize(TileRtBuffer buffer) {
  return buffer ? buffer->bytes : 0;
}

/// Checks a transfer and finds its address and stream.
static TileRtStatus checkRange(TileRtBuffer buffer, int64_t offset,
                               int64_t bytes, TileRtStream stream,
                               char *&address, void *&native) {
  if (!buffer)
    return fail(TILE_RT_INVALID_ARGUMENT, "expected a buffer, but got null");
  if (offset < 0 || bytes < 0 || offset > buffer->bytes ||
      bytes > buffer->bytes - offset)
    return fail(
        TILE_RT_INVALID_ARGUMENT,
        format("expected a range inside a %lld-byte buffer, but got %lld "
               "bytes at offset %lld",
               Long(buffer->bytes), Long(bytes), Long(offset)));
  address = static_cast<char *>(buffer->address) + offset;
  return nativeStream(buffer->device.get(), stream, native);
}

TileRtStatus tileRtBufferWrite(TileRtBuffer buffer, int64_t offset,
                               const void *host, int64_t bytes,
                               TileRtStream stream) {
  char *address = nullptr;
  void *native = nullptr;
  TileRtStatus status =
      checkRange(buffer, offset, bytes, stream, address, native);
  if (status != TILE_RT_SUCCESS)
    return status;
  if (!host && bytes)
    return fail(TILE_RT_INVALID_ARGUMENT,
                "expected host memory to read, but got null");
  return buffer->device->write(address, host, bytes, native);
}

TileRtStatus tileRtBufferRead(TileRtBuffer buffer, int64_t offset, void *host,
                              int64_t bytes, TileRtStream stream) {
  char *address = nullptr;
  void *native = nullptr;
  TileRtStatus status =
      checkRange(buffer, offset, bytes, stream, address, native);
  if (status != TILE_RT_SUCCESS)
    return status;
  if (!host && bytes)
    return fail(TILE_RT_INVALID_ARGUMENT,
                "expected host memory to write, but got null");
  return buffer->device->read(host, address, bytes, native);
}

TileRtStatus tileRtBufferFill(TileRtBuffer buffer, int64_t offset,
                              int64_t bytes, uint8_t value,
                              TileRtStream stream) {
  char *address = nullptr;
  void *native = nullptr;
  TileRtStatus status =
      checkRange(buffer, offset, bytes, stream, address, native);
  if (status != TILE_RT_SUCCESS)
    return status;
  return buffer->device->fill(address, value, bytes, native);
}

TileRtStatus tileRtBufferCopy(TileRtBuffer target, int64_t targetOffset,
                              TileRtBuffer source, int64_t sourceOffset,
                              int64_t bytes, TileRtStream stream) {
  char *to = nullptr, *from = nullptr;
  void *native = nullptr;
  if (TileRtStatus status =
          checkRange(target, targetOffset, bytes, stream, to, native))
    return status;
  if (TileRtStatus status =
          checkRange(source, sourceOffset, bytes, stream, from, native))
    return status;
  if (target->device != source->device)
    return fail(TILE_RT_INVALID_ARGUMENT,
                "expected buffers of one device, but got them of two");
  return target->device->copy(to, from, bytes, native);
}

TileRtStatus tileRtStreamCreate(TileRtDevice device, TileRtStream *stream) {
  if (!device || !stream)
    return fail(TILE_RT_INVALID_ARGUMENT,
                "expected a device and an output, but got null");
  void *native;
  TileRtStatus status = device->device->createStream(native);
  if (status != TILE_RT_SUCCESS)
    return status;
  *stream = new TileRtStreamImpl{device->device, native, true};
  return TILE_RT_SUCCESS;
}

TileRtStatus tileRtStreamWrap(TileRtDevice device, void *native,
                              TileRtStream *stream) {
  if (!device || !stream)
    return fail(TILE_RT_INVALID_ARGUMENT,
                "expected a device and an output, but got null");
  if (device->device->info().kind != TILE_RT_DEVICE_CUDA)
    return fail(TILE_RT_INVALID_ARGUMENT,
                "expected a CUDA device to wrap a stream of, but got the "
                "simulator");
  *stream = new TileRtStreamImpl{device->device, native, false};
  return TILE_RT_SUCCESS;
}

void tileRtStreamDestroy(TileRtStream stream) {
  if (stream && stream->owned)
    stream->device->destroyStream(stream->native);
  delete stream;
}

TileRtStatus tileRtStreamSynchronize(TileRtStream stream) {
  if (!stream)
    return fail(TILE_RT_INVALID_ARGUMENT, "expected a stream, but got null");
  return stream->device->synchronizeStream(stream->native);
}

TileRtStatus tileRtEventCreate(TileRtDevice device, TileRtEvent *event) {
  if (!device || !event)
    return fail(TILE_RT_INVALID_ARGUMENT,
                "expected a device and an output, but got null");
  void *native;
  TileRtStatus status = device->device->createEvent(native);
  if (status != TILE_RT_SUCCESS)
    return status;
  *event = new TileRtEventImpl{device->device, native, false};
  return TILE_RT_SUCCESS;
}

void tileRtEventDestroy(TileRtEvent event) {
  if (event)
    event->device->destroyEvent(event->native);
  delete event;
}

TileRtStatus tileRtEventRecord(TileRtEvent event, TileRtStream stream) {
  if (!event)
    return fail(TILE_RT_INVALID_ARGUMENT, "expected an event, but got null");
  void *native = nullptr;
  TileRtStatus status = nativeStream(event->device.get(), stream, native);
  if (status == TILE_RT_SUCCESS)
    status = event->device->recordEvent(event->native, native);
  event->recorded |= status == TILE_RT_SUCCESS;
  return status;
}

TileRtStatus tileRtEventElapsed(TileRtEvent start, TileRtEvent stop,
                                double *milliseconds) {
  if (!start || !stop || !milliseconds)
    return fail(TILE_RT_INVALID_ARGUMENT,
                "expected two events and an output, but got null");
  if (start->device != stop->device)
    return fail(TILE_RT_INVALID_ARGUMENT,
                "expected two events of one device, but got two devices");
  if (!start->recorded || !stop->recorded)
    return fail(TILE_RT_INVALID_ARGUMENT,
                "expected two recorded events, but got one that was not "
                "recorded");
  return start->device->elapsed(start->native, stop->native, *milliseconds);
}
