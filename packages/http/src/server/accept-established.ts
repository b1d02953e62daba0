import { FFIType } from 'bun:ffi'
import { readFileSync } from 'node:fs'
import { setImmediate as turn } from 'node:timers/promises'
import { openCLibrary } from './c-library.ts'
import { bytesOfFilter, filterOptionBytes } from './socket-filter.ts'

/** SOL_SOCKET and SO_ATTACH_FILTER of Linux, socket(7). */
const socketLevel = 1
const attachFilter = 26

const flagsOffset = 13
const synAndAck = 0x12
const syn = 0x02
const everything = 0xffffffff

/**
 * A filter of segments in classic BPF (code, jump if true, jump if false, operand) that drops those which ask for a
 * connection, and passes all others. https://www.kernel.org/doc/Documentation/networking/filter.txt
 */
const dropRequests = [
  [0x30, 0, 0, flagsOffset], // load the byte of the TCP flags
  [0x54, 0, 0, synAndAck], // and
  [0x15, 0, 1, syn], // equal?
  [0x06, 0, 0, 0], // return: drop
  [0x06, 0, 0, everything], // return: pass
] as const

/** Longer than most handshakes take, shorter than the second after which a caller asks again. */
const handshakeMs = 250
/** Time for handshakes that are seen to be under way: a lost segment of theirs is sent again after a second. */
const maxHandshakeMs = 1500
const lookMs = 25

/**
 * Accepts every connection that the system has established, so that closing the listener loses none: a closed listener resets
 * those in its queue, which may have sent a request by then. Meanwhile the system ignores who asks for a new one; they ask
 * again after a second, and find the listener closed. Elsewhere than on Linux it does nothing.
 */
export async function acceptEstablished(listener: object, port: number): Promise<void> {
  // The runtime's types leave it out.
  const { fd } = listener as { readonly fd?: number }
  if (process.platform !== 'linux' || fd === undefined || !attach(fd)) return
  await Bun.sleep(handshakeMs)
  for (let waited = handshakeMs; waited < maxHandshakeMs && isConnecting(port); waited += lookMs)
    await Bun.sleep(lookMs)
  // A timer that is late runs before the runtime looks at its sockets.
  await turn()
  await turn()
}

/** States of a socket in proc(5), /proc/net/tcp. */
const halfOpen = '03'
const listening = '0A'

/** Returns whether the system still connects callers to the port, or has connected some that nobody has accepted. */
export function isConnecting(port: number, tables: readonly string[] = tcpTables()): boolean {
  const ending = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  return tables.some((table) =>
    table.split('\n').some((line) => {
      const [, local = '', , state, queues = ''] = line.trim().split(/\s+/)
      if (!local.endsWith(ending)) return false
      return state === halfOpen || (state === listening && !queues.endsWith(':00000000'))
    }),
  )
}

/** Reads the sockets of both families; empty where the system does not list sockets. */
function tcpTables(): readonly string[] {
  return ['/proc/net/tcp', '/proc/net/tcp6'].map((file) => {
    try {
      return readFileSync(file, 'latin1')
    } catch {
      return ''
    }
  })
}

/** False where the system has no such library or option. */
function attach(fd: number): boolean {
  const { i32, u32, ptr: pointer } = FFIType
  const library = openCLibrary({ setsockopt: { args: [i32, i32, i32, pointer, u32], returns: i32 } })
  const bytes = bytesOfFilter(dropRequests)
  return library?.symbols.setsockopt(fd, socketLevel, attachFilter, bytes, filterOptionBytes) === 0
}
