import { describe, expect, it } from 'bun:test'
import { addressKey, ConnectionTable } from './connection-table.ts'

describe('the address of a connection', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::FFFF:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['', ''],
  ])('%s counts as %s', (address, key) => {
    expect(addressKey(address)).toBe(key)
  })
})

describe('a table of connections', () => {
  const isProxy = (address: string) => address === '10.0.0.1'
  const table = () => new ConnectionTable<string>({ descriptorLimit: 24, isProxy })

  it('gives one address an eighth of it, and a proxy any number', () => {
    const connections = table()
    const exceeds = (address: string) =>
      Array.from({ length: 5 }, (_, index) =>
        connections.exceedsShare(connections.enter(`${address} ${index}`, address, 9)),
      )
    expect(exceeds('192.0.2.7')).toEqual([false, false, false, true, true])
    expect(exceeds('192.0.2.8')).toEqual([false, false, false, true, true])
    expect(exceeds('10.0.0.1')).toEqual([false, false, false, false, false])
  })

  it('knows which has been idle for longest, of one address and of all, and a proxy last', () => {
    const connections = table()
    const add = (name: string, address: string) => {
      const position = connections.enter(name, address, 9)
      connections.rested(position, 0)
      return position
    }
    const proxied = add('0 of 10.0.0.1', '10.0.0.1')
    const first = add('1 of 192.0.2.7', '192.0.2.7')
    const second = add('2 of 192.0.2.8', '192.0.2.8')
    const third = add('3 of 192.0.2.8', '192.0.2.8')
    expect(connections.oldestIdle(100)).toBe('1 of 192.0.2.7')
    expect(connections.oldestIdleOf(third, 100)).toBe('2 of 192.0.2.8')
    connections.worked(first)
    connections.rested(second, 1)
    expect(connections.oldestIdle(100)).toBe('3 of 192.0.2.8')
    connections.left(third)
    connections.left(second)
    expect(connections.oldestIdle(100)).toBe('0 of 10.0.0.1')
    connections.left(proxied)
    expect(connections.oldestIdle(100)).toBeUndefined()
    connections.rested(first, 10)
    expect([connections.oldestIdle(109), connections.oldestIdle(110)]).toEqual([undefined, '1 of 192.0.2.7'])
  })

  it('has room for an address again when one of its connections has left', () => {
    const connections = table()
    const one = connections.enter('one', '192.0.2.7', 9)
    for (const name of ['two', 'three']) connections.enter(name, '192.0.2.7', 9)
    connections.left(one)
    expect(connections.exceedsShare(connections.enter('next', '192.0.2.7', 9))).toBe(false)
    expect(connections.exceedsShare(connections.enter('one more', '192.0.2.7', 9))).toBe(true)
  })

  it('is overfull while connections have descriptors that others need', () => {
    const connections = table()
    const enter = (descriptor: number) => connections.enter('any', `192.0.2.${descriptor}`, descriptor)
    const positions = Array.from({ length: 14 }, (_, at) => enter(10 + at))
    expect(connections.isOverfull).toBe(false)
    const beyond = enter(24)
    expect(connections.isOverfull).toBe(true)
    const [first, ...others] = positions
    if (first === undefined) throw new Error('there are places')
    connections.left(first)
    expect(connections.isOverfull).toBe(false)
    // The number of the one that left is the lowest again, and there is no more room than before.
    const again = enter(10)
    expect(connections.isOverfull).toBe(true)
    for (const position of [beyond, again, ...others.slice(0, 3)]) connections.left(position)
    for (const descriptor of [10, 11, 12, 13]) enter(descriptor)
    expect(connections.isOverfull).toBe(false)
  })
})
