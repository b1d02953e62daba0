import { FFIType, ptr } from 'bun:ffi'
import { readdirSync, readFileSync } from 'node:fs'
import { openCLibrary } from './c-library.ts'

/** The first descriptor that a service manager passes, sd_listen_fds(3). */
const firstDescriptor = 3

/**
 * Returns the listening sockets that the service manager of this process passed to it, and forgets the variables that say so, which hold
 * for this process alone (`LISTEN_PID`, `LISTEN_FDS`).
 */
export function takeInheritedSockets(
  environment: Record<string, string | undefined>,
  pid: number,
): readonly number[] {
  const { LISTEN_PID: owner, LISTEN_FDS: count } = environment
  delete environment['LISTEN_PID']
  delete environment['LISTEN_FDS']
  delete environment['LISTEN_FDNAMES']
  const sockets = owner === String(pid) && /^\d{1,3}$/.test(count ?? '') ? Number(count) : 0
  return Array.from({ length: sockets }, (_, index) => firstDescriptor + index)
}

const { i32, ptr: pointer } = FFIType

/** Constants of Linux: fcntl(2), dup3(2), epoll_ctl(2), socket(7). */
const getFlags = 3
const setFlags = 4
const nonBlocking = 0o4000
const closeOnExec = 0o2000000
const addToEpoll = 1
const addressBytes = 128

/** The inherited socket cannot be listened on here; the message names the step. */
class InheritedSocketError extends Error {
  override readonly name = 'InheritedSocketError'
}

/**
 * Has a listener of the runtime accept from an inherited socket in the place of its own, which is closed: the runtime cannot listen on a
 * descriptor. The socket takes the listener's descriptor, under which the event loop gets its events anew. Whoever passed the socket
 * keeps it open, so that its queue outlives this process.
 * @returns the port of the socket
 */
export function listenOnInherited(listener: object, inherited: number): number {
  // The runtime's types leave it out.
  const { fd } = listener as { readonly fd?: number }
  if (process.platform !== 'linux' || fd === undefined)
    throw new InheritedSocketError('sockets of a service manager work on Linux alone')
  const library = openLibrary()
  try {
    const { fcntl, dup3, epoll_ctl, close } = library.symbols
    const port = portOf(library.symbols, inherited)
    const registered = registrationOf(fd)
    // The runtime accepts until nobody waits.
    demand(fcntl(inherited, setFlags, fcntl(inherited, getFlags, 0) | nonBlocking), 'fcntl')
    demand(dup3(inherited, fd, closeOnExec), 'dup3')
    demand(epoll_ctl(registered.epoll, addToEpoll, fd, ptr(eventOf(registered))), 'epoll_ctl')
    close(inherited)
    return port
  } finally {
    library.close()
  }
}

function openLibrary() {
  const library = openCLibrary({
    fcntl: { args: [i32, i32, i32], returns: i32 },
    dup3: { args: [i32, i32, i32], returns: i32 },
    epoll_ctl: { args: [i32, i32, i32, pointer], returns: i32 },
    getsockname: { args: [i32, pointer, pointer], returns: i32 },
    close: { args: [i32], returns: i32 },
  })
  if (library === undefined) throw new InheritedSocketError('the C library cannot be opened')
  return library
}

type Symbols = ReturnType<typeof openLibrary>['symbols']

function demand(result: number, step: string): void {
  if (result < 0) throw new InheritedSocketError(`${step} failed`)
}

/** Reads the port of `sockaddr_in` and `sockaddr_in6` alike: the port is behind the family, in the order of the network. */
function portOf({ getsockname }: Symbols, socket: number): number {
  const address = Buffer.alloc(addressBytes)
  const length = Buffer.alloc(4)
  length.writeUInt32LE(addressBytes)
  demand(getsockname(socket, ptr(address), ptr(length)), `descriptor ${socket} is no socket: getsockname`)
  return address.readUInt16BE(2)
}

interface Registration {
  /** Descriptor of the event loop. */
  readonly epoll: number
  readonly events: number
  /** Number by which the event loop finds its listener. */
  readonly data: bigint
}

/** Reads how the event loop waits for a descriptor: proc(5), /proc/pid/fdinfo. */
export function registrationOf(descriptor: number): Registration {
  const form = new RegExp(`^tfd:\\s+${descriptor} events:\\s+([0-9a-f]+) data:\\s+([0-9a-f]+)`, 'm')
  for (const name of readdirSync('/proc/self/fdinfo')) {
    const [, events, data] = form.exec(infoOf(name)) ?? []
    if (events !== undefined && data !== undefined)
      return { epoll: Number(name), events: Number.parseInt(events, 16), data: BigInt(`0x${data}`) }
  }
  throw new InheritedSocketError('no event loop waits for the listener')
}

/** Empty for a descriptor that was closed meanwhile, as that of the listed folder is. */
function infoOf(name: string): string {
  try {
    return readFileSync(`/proc/self/fdinfo/${name}`, 'latin1')
  } catch {
    return ''
  }
}

/** struct epoll_event, which is packed on x86-64 alone. */
function eventOf({ events, data }: Registration): Buffer {
  const dataOffset = process.arch === 'x64' ? 4 : 8
  const bytes = Buffer.alloc(dataOffset + 8)
  bytes.writeUInt32LE(events)
  bytes.writeBigUInt64LE(data, dataOffset)
  return bytes
}
