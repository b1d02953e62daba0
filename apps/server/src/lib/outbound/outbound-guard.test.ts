import { describe, expect, it } from 'bun:test'
import { createOutboundGuard, OutboundForbiddenError, OutboundUnresolvedError } from './outbound-guard.ts'

function guardFor(addresses: Readonly<Record<string, readonly string[]>>, ranges: readonly string[] = []) {
  const requested: string[] = []
  const open = { ranges }
  const time = { now: 0 }
  const guard = createOutboundGuard({
    allowedRanges: () => open.ranges,
    clock: { now: () => time.now },
    lookup: async (host) => {
      requested.push(host)
      const found = addresses[host]
      if (found === undefined) throw new Error('ENOTFOUND')
      return found
    },
  })
  return { guard, requested, time, open }
}

describe('createOutboundGuard', () => {
  it.each([
    'http://127.0.0.1/',
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f.0.0.1/',
    'http://10.1.2.3:8080/v1',
    'http://172.31.255.255',
    'http://192.168.0.1',
    'http://169.254.169.254/latest/meta-data',
    'http://100.100.100.200',
    'http://168.63.129.16',
    'http://0.0.0.0',
    'http://224.0.0.1',
    'http://255.255.255.255',
    'http://[::1]/',
    'http://[::]/',
    'http://[::ffff:10.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://[::127.0.0.1]/',
    'http://[64:ff9b::a00:1]/',
    'http://[64:ff9b::10.0.0.1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[64:ff9b:1::808:808]/',
    'http://[2002:a00:1::]/',
    'http://[2002:a00:1:1::808:808]/',
    'http://[2001:0:808:808:0:0:f5ff:fffe]/',
    'http://[2001:0:a00:1:0:0:f7f7:f7f7]/',
    'http://[fd00:ec2::254]/',
    'http://[fe80::1]/',
    'http://[fec0::1]/',
    'http://[ff02::1]/',
    'http://[::ffff:0:127.0.0.1]/',
    'http://[::ffff:0:10.0.0.1]/',
    'http://[4000::1]/',
    'http://[1234::1]/',
    'http://[2001:db8::1]/',
    'http://[3fff:1::1]/',
    'http://[2001:2::1]/',
  ])('refuses %s', async (url) => {
    await expect(guardFor({}).guard.check(url)).rejects.toBeInstanceOf(OutboundForbiddenError)
  })

  it.each([
    'http://8.8.8.8/',
    'http://[2606:4700::1111]/',
    'https://100.128.0.1',
    'http://[::ffff:8.8.8.8]/',
    'http://[64:ff9b::808:808]/',
    'http://[2002:808:808::1]/',
    'http://[2001:0:808:808:0:0:f7f7:f7f7]/',
  ])('allows %s', async (url) => {
    expect(await guardFor({}).guard.check(url)).toHaveLength(1)
  })

  it('allows a translated address by the range of the IPv4 address inside it, or by its own', async () => {
    const { guard, open } = guardFor({}, ['10.0.0.0/24'])
    expect(await guard.check('http://[64:ff9b::a00:1]')).toEqual(['64:ff9b::a00:1'])
    await expect(guard.check('http://[64:ff9b::a00:101]')).rejects.toBeInstanceOf(OutboundForbiddenError)
    open.ranges = ['64:ff9b::/96', '64:ff9b:1::/48']
    expect(await guard.check('http://[64:ff9b::a00:101]')).toHaveLength(1)
    expect(await guard.check('http://[64:ff9b:1::a00:101]')).toHaveLength(1)
  })

  it('refuses a name whose address cannot be judged', async () => {
    const { guard } = guardFor({
      'zone.example': ['fe80::1%eth0'],
      'odd.example': ['93.184.216.34', 'no address'],
    })
    await expect(guard.check('https://zone.example')).rejects.toBeInstanceOf(OutboundForbiddenError)
    await expect(guard.check('https://odd.example')).rejects.toBeInstanceOf(OutboundForbiddenError)
  })

  it('refuses a name when any of its addresses is closed', async () => {
    const { guard } = guardFor({ 'two.example': ['93.184.216.34', '10.0.0.7'] })
    await expect(guard.check('https://two.example/v1')).rejects.toBeInstanceOf(OutboundForbiddenError)
  })

  it('returns the addresses it checked, so that the caller connects to no other', async () => {
    const { guard } = guardFor({ 'good.example': ['93.184.216.34', '93.184.216.35'] })
    expect(await guard.check('https://good.example/v1')).toEqual(['93.184.216.34', '93.184.216.35'])
  })

  it('allows the ranges that root opens, and refuses them again when root closes them', async () => {
    const { guard, open } = guardFor({ 'lan.example': ['10.0.0.9'] }, ['10.0.0.0/24', '::1'])
    expect(await guard.check('http://lan.example')).toEqual(['10.0.0.9'])
    expect(await guard.check('http://[::1]')).toEqual(['::1'])
    await expect(guard.check('http://10.0.1.9')).rejects.toBeInstanceOf(OutboundForbiddenError)
    open.ranges = []
    await expect(guard.check('http://lan.example')).rejects.toBeInstanceOf(OutboundForbiddenError)
  })

  it('caches a look-up for a short time, and a failed one not at all', async () => {
    const { guard, requested, time } = guardFor({ 'good.example': ['93.184.216.34'] })
    await guard.check('https://good.example')
    await guard.check('https://good.example')
    expect(requested).toEqual(['good.example'])
    time.now = 60_000
    await guard.check('https://good.example')
    expect(requested).toHaveLength(2)
    await expect(guard.check('https://gone.example')).rejects.toBeInstanceOf(OutboundUnresolvedError)
    await expect(guard.check('https://gone.example')).rejects.toBeInstanceOf(OutboundUnresolvedError)
    expect(requested).toHaveLength(4)
  })
})
