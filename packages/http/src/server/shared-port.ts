import { FFIType } from 'bun:ffi'
import { openCLibrary } from './c-library.ts'
import { registrationOf } from './inherited-sockets.ts'
import { bytesOfFilter, filterOptionBytes, type Instruction } from './socket-filter.ts'

/** Sockets of one port among which the system spreads new connections; each has a queue of its own. */
export interface SharedPort {
  readonly port: number
  /** One for each queue, in their order. They close with this process alone: a queue outlives whoever accepts from it. */
  readonly descriptors: readonly number[]
  /**
   * Spreads connections over these queues alone, from the next one on. False where the system cannot do that, and spreads them over
   * all.
   */
  steer(queues: readonly number[]): boolean
  close(): void
}

const { i32, u32, ptr: pointer } = FFIType

/** Constants of Linux: epoll_ctl(2), and SOL_SOCKET and SO_ATTACH_REUSEPORT_CBPF of socket(7). */
const removeFromEpoll = 2
const socketLevel = 1
const attachSteering = 51

/** Ancillary data of a filter: a random number. https://www.kernel.org/doc/Documentation/networking/filter.txt */
const randomNumber = 0xfffff038

/**
 * Opens a port for several processes to accept from (`SO_REUSEPORT`), and accepts from none of its queues itself. Throws as the
 * runtime's `listen` does, also where another process has the port: the system would let one of the same account join in.
 */
export function openSharedPort(hostname: string, port: number, queues: number): SharedPort {
  const library = openLibrary()
  refuseTaken(hostname, port)
  const listeners: Bun.TCPSocketListener[] = []
  for (let queue = 0; queue < queues; queue += 1) {
    const listener = listen(hostname, listeners[0]?.port ?? port, true)
    listeners.push(listener)
    const descriptor = descriptorOf(listener)
    library.epoll_ctl(registrationOf(descriptor).epoll, removeFromEpoll, descriptor, null)
  }
  const descriptors = listeners.map(descriptorOf)
  return {
    port: listeners[0]?.port ?? port,
    descriptors,
    steer(live) {
      const bytes = bytesOfFilter(steering(live))
      return (
        library.setsockopt(descriptors[0] ?? -1, socketLevel, attachSteering, bytes, filterOptionBytes) === 0
      )
    },
    close() {
      for (const listener of listeners) listener.stop()
    },
  }
}

/** Takes a queue at random. The number that the filter returns is that of the queue, in the order in which they were opened. */
function steering(live: readonly number[]): readonly Instruction[] {
  const [first = 0] = live
  return [
    [0x20, 0, 0, randomNumber], // load
    [0x94, 0, 0, Math.max(1, live.length)], // modulo
    ...live.flatMap((queue, index): Instruction[] => [
      [0x15, 0, 1, index], // equal?
      [0x06, 0, 0, queue], // return
    ]),
    [0x06, 0, 0, first],
  ]
}

function refuseTaken(hostname: string, port: number): void {
  if (port !== 0) listen(hostname, port, false).stop(true)
}

function listen(hostname: string, port: number, isShared: boolean): Bun.TCPSocketListener {
  // Nothing is accepted here: the socket leaves the event loop before its next turn. The runtime's types leave `reusePort` out.
  const options = { hostname, port, reusePort: isShared, socket: { data() {} } }
  return Bun.listen(options)
}

function descriptorOf(listener: object): number {
  return (listener as { readonly fd?: number }).fd ?? -1
}

function openLibrary() {
  const library = openCLibrary({
    epoll_ctl: { args: [i32, i32, i32, pointer], returns: i32 },
    setsockopt: { args: [i32, i32, i32, pointer, u32], returns: i32 },
  })
  if (library === undefined) throw new Error('the C library cannot be opened')
  return library.symbols
}
