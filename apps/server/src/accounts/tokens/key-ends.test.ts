import { describe, expect, it } from 'bun:test'
import { keyEndsOf, keyFilterOf } from './key-ends.ts'

const vault = { hash: (text: string) => `hash of ${text}` }
const key = `skAb${'x'.repeat(40)}-wxz`.replace('-', 'k')
const filterOf = (text: string) => keyFilterOf(text, vault)

describe('searching for a key', () => {
  it('finds one by its full text, with or without its prefix, and strips nothing else', () => {
    const found = { keyHash: `hash of ${key}` }
    expect(filterOf(key)).toEqual(found)
    expect(filterOf(` sk-${key} `)).toEqual(found)
  })

  it('finds those that look so where they are masked', () => {
    expect(keyEndsOf(key)).toEqual({ keyHead: 'skAb', keyTail: 'kwxz' })
    expect(filterOf('sk')).toEqual({ keyEnds: { head: 'sk', tail: 'sk', or: true } })
    expect(filterOf('kwxz')).toEqual({ keyEnds: { head: 'kwxz', tail: 'kwxz', or: true } })
    expect(filterOf('sk-skA')).toEqual({ keyEnds: { head: 'skA', tail: '' } })
    expect(filterOf('sk-skAb…kwxz')).toEqual({ keyEnds: { head: 'skAb', tail: 'kwxz' } })
    expect(filterOf('skAb***wxz')).toEqual({ keyEnds: { head: 'skAb', tail: 'wxz' } })
    expect(filterOf('...wxz')).toEqual({ keyEnds: { head: '', tail: 'wxz' } })
  })

  it.each(['', 'sk-', '***', 'skAbx', 'a…b…c', "'; --", 'sk-sk-', '%'])('means no key by %j', (text) => {
    expect(filterOf(text)).toBeUndefined()
  })
})
