import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import { LinkedList, LinkedNode } from './linked-list.ts'

class Named extends LinkedNode {
  readonly name: number

  constructor(name: number) {
    super()
    this.name = name
  }
}

/** Adds a member, or removes a present one. */
function toggle(list: LinkedList<Named>, member: Named): void {
  if (!list.remove(member)) list.add(member)
}

describe('LinkedList', () => {
  it('has every added member until its removal, in order, like a Set', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(9)), (steps) => {
        const list = new LinkedList<Named>()
        const members = Array.from({ length: 10 }, (_, name) => new Named(name))
        const expected = new Set<Named>()
        for (const member of steps.flatMap((name) => members[name] ?? [])) {
          toggle(list, member)
          if (!expected.delete(member)) expected.add(member)
        }
        expect(list.members()).toEqual([...expected])
        expect(list.size).toBe(expected.size)
      }),
    )
  })

  it('releases a removed member: neither references the other', () => {
    const list = new LinkedList<Named>()
    const [first, second, third] = [new Named(1), new Named(2), new Named(3)]
    for (const member of [first, second, third]) list.add(member)
    list.remove(second)
    expect([second.previous, second.next]).toEqual([second, second])
    expect([first.next, third.previous]).toEqual([third, first])
  })
})
