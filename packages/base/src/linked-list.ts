/** A member of a `LinkedList`; of one at a time. */
export class LinkedNode {
  /** Its neighbours; itself outside of a list, so that a removed member does not hold later ones in memory. */
  previous: LinkedNode = this
  next: LinkedNode = this
}

/**
 * Members in order of arrival. They come and go by the thousand per second: a `Set` of such members is rebuilt over and
 * over, and its discarded tables cost the garbage collector more than the members do.
 */
export class LinkedList<Member extends LinkedNode> {
  readonly #ends = new LinkedNode()
  #size = 0

  get size(): number {
    return this.#size
  }

  /** The member that arrived before all others. */
  get first(): Member | undefined {
    const { next } = this.#ends
    // Only members of this type were added.
    return next === this.#ends ? undefined : (next as Member)
  }

  /** @param member of no list yet */
  add(member: Member): void {
    const last = this.#ends.previous
    member.previous = last
    member.next = this.#ends
    last.next = member
    this.#ends.previous = member
    this.#size += 1
  }

  /** Returns false when the list does not hold the member. */
  remove(member: Member): boolean {
    if (member.next === member) return false
    member.previous.next = member.next
    member.next.previous = member.previous
    member.previous = member
    member.next = member
    this.#size -= 1
    return true
  }

  /** The members, in order of arrival. */
  members(): Member[] {
    const found: Member[] = []
    for (let at = this.#ends.next; at !== this.#ends; at = at.next) {
      // Only members of this type were added.
      found.push(at as Member)
    }
    return found
  }
}
