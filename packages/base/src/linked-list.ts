/** Whoever can stand in a `LinkedList`; in one at a time. */
export class LinkedNode {
  /** Its neighbours, itself while it stands in none. A member that left must not hold on to those that came later. */
  previous: LinkedNode = this
  next: LinkedNode = this
}

/**
 * Members in the order in which they came. They come and go by the thousand per second: a `Set` of such members is
 * rebuilt over and over, and the tables it leaves behind cost the garbage collector more than the members do.
 */
export class LinkedList<Member extends LinkedNode> {
  readonly #ends = new LinkedNode()
  #size = 0

  get size(): number {
    return this.#size
  }

  /** Only for a member that stands in no list. */
  add(member: Member): void {
    const last = this.#ends.previous
    member.previous = last
    member.next = this.#ends
    last.next = member
    this.#ends.previous = member
    this.#size += 1
  }

  /** False when the member had left before. */
  remove(member: Member): boolean {
    if (member.next === member) return false
    member.previous.next = member.next
    member.next.previous = member.previous
    member.previous = member
    member.next = member
    this.#size -= 1
    return true
  }

  /** Those who stand in it now. */
  members(): Member[] {
    const found: Member[] = []
    for (let at = this.#ends.next; at !== this.#ends; at = at.next) {
      // Nothing but members of this kind was added.
      found.push(at as Member)
    }
    return found
  }
}
