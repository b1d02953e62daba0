import { LinkedList, LinkedNode } from '@tollgate/base'

/** The part of the table that one address may have. */
const addressShare = 1 / 8
/** A connection that was opened or used a moment ago may have its next request on the way. */
const minIdleMs = 100
/** A table with so much room again is measured anew: what else the process had open may be closed. */
const roomyShare = 9 / 10

/** Connections of one address. */
class AddressConnections<Connection> {
  readonly key: string
  readonly idle = new LinkedList<IdleNode<Connection>>()
  count = 0

  constructor(key: string) {
    this.key = key
  }
}

/** A connection in a list of idle ones. */
class IdleNode<Connection> extends LinkedNode {
  readonly connection: Connection
  /** Milliseconds of a monotonic clock. */
  since = 0

  constructor(connection: Connection) {
    super()
    this.connection = connection
  }
}

/** A connection's entry in the table. */
export class ConnectionEntry<Connection> {
  readonly address: AddressConnections<Connection>
  /** Its connections have a share: it is not a proxy's address. */
  readonly isShared: boolean
  /** Its descriptor is beyond those that callers may have. */
  readonly isBeyond: boolean
  readonly amongAll: IdleNode<Connection>
  readonly amongOwn: IdleNode<Connection>

  constructor(
    connection: Connection,
    address: AddressConnections<Connection>,
    { isShared, isBeyond }: { readonly isShared: boolean; readonly isBeyond: boolean },
  ) {
    this.address = address
    this.isShared = isShared
    this.isBeyond = isBeyond
    this.amongAll = new IdleNode(connection)
    this.amongOwn = new IdleNode(connection)
  }
}

interface TableOptions {
  /** The first descriptor that no caller's connection may have. */
  readonly descriptorLimit: number
  /** Returns whether many callers come from an address: a trusted proxy's. It has no share, and its idle connections go last. */
  readonly isProxy?: ((address: string) => boolean) | undefined
}

/**
 * The connections of a server by their addresses: one address has at most an eighth of the table, and where there is no room the
 * connection goes that has been idle for longest.
 */
export class ConnectionTable<Connection> {
  readonly #addresses = new Map<string, AddressConnections<Connection>>()
  readonly #idle = new LinkedList<IdleNode<Connection>>()
  readonly #idleOfProxies = new LinkedList<IdleNode<Connection>>()
  readonly #isProxy: (address: string) => boolean
  readonly #descriptorLimit: number
  readonly #maxPerAddress: number
  #size = 0
  /** Connections with a descriptor beyond the limit. */
  #beyond = 0
  /** Connections that found room when it was last known: the process has other files open. */
  #capacity = Number.POSITIVE_INFINITY

  constructor({ descriptorLimit, isProxy = () => false }: TableOptions) {
    this.#isProxy = isProxy
    this.#descriptorLimit = descriptorLimit
    this.#maxPerAddress = Math.max(1, Math.floor(descriptorLimit * addressShare))
  }

  /** Takes a connection in, which is neither idle nor at work yet. */
  enter(connection: Connection, address: string, descriptor: number): ConnectionEntry<Connection> {
    const isBeyond = descriptor >= this.#descriptorLimit
    // The system assigns the lowest free number, so all below it are taken.
    if (isBeyond) this.#capacity = this.#size - this.#beyond
    this.#size += 1
    if (isBeyond) this.#beyond += 1
    const key = addressKey(address)
    const known = this.#addresses.get(key) ?? new AddressConnections<Connection>(key)
    if (known.count === 0) this.#addresses.set(key, known)
    known.count += 1
    return new ConnectionEntry(connection, known, { isShared: !this.#isProxy(address), isBeyond })
  }

  /** More connections are in the table than find room. */
  get isOverfull(): boolean {
    return this.#size > this.#capacity
  }

  /** Returns whether the address of a connection has more than its share, with this connection. */
  exceedsShare({ address, isShared }: ConnectionEntry<Connection>): boolean {
    return isShared && address.count > this.#maxPerAddress
  }

  /** The connection has no request. @param now milliseconds of a monotonic clock */
  rested(entry: ConnectionEntry<Connection>, now: number): void {
    this.worked(entry)
    entry.amongAll.since = now
    entry.amongOwn.since = now
    const all = entry.isShared ? this.#idle : this.#idleOfProxies
    all.add(entry.amongAll)
    entry.address.idle.add(entry.amongOwn)
  }

  /** The connection serves a request. */
  worked(entry: ConnectionEntry<Connection>): void {
    const all = entry.isShared ? this.#idle : this.#idleOfProxies
    all.remove(entry.amongAll)
    entry.address.idle.remove(entry.amongOwn)
  }

  /** The connection is closed, or is about to be. Once for each that entered. */
  left(entry: ConnectionEntry<Connection>): void {
    this.worked(entry)
    this.#size -= 1
    if (entry.isBeyond) this.#beyond -= 1
    if (this.#size < this.#capacity * roomyShare) this.#capacity = Number.POSITIVE_INFINITY
    const { address } = entry
    address.count -= 1
    if (address.count === 0) this.#addresses.delete(address.key)
  }

  /** The connection of the same address that has been idle for longest. */
  oldestIdleOf({ address }: ConnectionEntry<Connection>, now: number): Connection | undefined {
    return idleIn(address.idle, now)
  }

  /** The connection that has been idle for longest; a proxy's only when there is no other. */
  oldestIdle(now: number): Connection | undefined {
    return idleIn(this.#idle, now) ?? idleIn(this.#idleOfProxies, now)
  }
}

function idleIn<Connection>(
  { first }: LinkedList<IdleNode<Connection>>,
  now: number,
): Connection | undefined {
  return first !== undefined && now - first.since >= minIdleMs ? first.connection : undefined
}

/**
 * Returns the unit that counts as one address: an IPv4 address, also where IPv6 carries it, and the /64 network of an IPv6 address, which is what one
 * customer gets (RFC 6177).
 */
export function addressKey(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined || !address.includes(':')) return mapped ?? address
  const [before = '', behind] = address.toLowerCase().split('%')[0]?.split('::') ?? []
  const first = groupsOf(before)
  const last = groupsOf(behind ?? '')
  const zeros = behind === undefined ? 0 : Math.max(0, groups - first.length - last.length)
  const all = [...first, ...Array<string>(zeros).fill('0'), ...last]
  return `${all.slice(0, networkGroups).join(':')}::/64`
}

const groups = 8
const networkGroups = 4

/** Groups without leading zeros; an IPv4 address at the end stands for two. */
function groupsOf(part: string): readonly string[] {
  if (part === '') return []
  return part
    .split(':')
    .flatMap((group) => (group.includes('.') ? ['0', '0'] : [group.replace(/^0+(?=.)/, '')]))
}
