import { dlopen, FFIType, ptr } from 'bun:ffi'

const { i32, ptr: pointer } = FFIType
const internet = 2
const stream = 1
const addressBytes = 16

/** A socket of the loopback interface that listens, as a service manager passes one. */
export interface OpenSocket {
  readonly descriptor: number
  readonly port: number
  close(): void
}

/** Opens one by the C library: the runtime passes none of its own on. Throws where there is no such library. */
export function openSocket(): OpenSocket {
  const { symbols } = dlopen('libc.so.6', {
    socket: { args: [i32, i32, i32], returns: i32 },
    bind: { args: [i32, pointer, i32], returns: i32 },
    listen: { args: [i32, i32], returns: i32 },
    getsockname: { args: [i32, pointer, pointer], returns: i32 },
    close: { args: [i32], returns: i32 },
  })
  const descriptor = symbols.socket(internet, stream, 0)
  const address = Buffer.alloc(addressBytes)
  address.writeUInt16LE(internet, 0)
  address.set([127, 0, 0, 1], 4)
  const length = Buffer.alloc(4)
  length.writeUInt32LE(addressBytes)
  const codes = [
    symbols.bind(descriptor, ptr(address), addressBytes),
    symbols.listen(descriptor, 512),
    symbols.getsockname(descriptor, ptr(address), ptr(length)),
  ]
  if (codes.some((code) => code !== 0)) throw new Error('a socket could not be opened')
  return { descriptor, port: address.readUInt16BE(2), close: () => void symbols.close(descriptor) }
}

/** Another descriptor of the same socket. */
export function duplicate(descriptor: number): number {
  const { symbols } = dlopen('libc.so.6', { dup: { args: [i32], returns: i32 } })
  return symbols.dup(descriptor)
}
