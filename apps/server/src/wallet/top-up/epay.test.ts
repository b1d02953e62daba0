import { describe, expect, it } from 'bun:test'
import { createHash } from 'node:crypto'
import { epaySignature, isSignedByEpay } from './epay.ts'

const fields = { pid: '1001', money: '7.30', name: 'TUC1 中', empty: '', sign: 'old', sign_type: 'MD5' }
const md5 = (text: string) => createHash('md5').update(text).digest('hex')

describe('a signature of the epay protocol', () => {
  it('is over the fields by name, without empty ones and the signature, and the key', () => {
    expect(epaySignature(fields, 'secret')).toBe(md5('money=7.30&name=TUC1 中&pid=1001secret'))
  })

  it('is valid in upper and lower case, and for exactly these fields', () => {
    const sign = epaySignature(fields, 'secret')
    expect(isSignedByEpay({ ...fields, sign }, 'secret')).toBe(true)
    expect(isSignedByEpay({ ...fields, sign: sign.toUpperCase() }, 'secret')).toBe(true)
    for (const change of [{ money: '0.01' }, { extra: '1' }, { sign: '' }, { sign: `${sign}0` }])
      expect(isSignedByEpay({ ...fields, sign, ...change }, 'secret')).toBe(false)
    expect(isSignedByEpay({ ...fields, sign }, 'another')).toBe(false)
    const { sign: _sign, ...unsigned } = fields
    expect(isSignedByEpay(unsigned, 'secret')).toBe(false)
  })

  it('is never made with an empty key', () => {
    expect(isSignedByEpay({ ...fields, sign: epaySignature(fields, '') }, '')).toBe(false)
  })

  it('is invalid for fields that only look alike when they are joined', () => {
    const sign = epaySignature({ a: '1', b: '2' }, 'secret')
    expect(epaySignature({ a: '1&b=2' }, 'secret')).toBe(sign)
    expect(isSignedByEpay({ a: '1&b=2', sign }, 'secret')).toBe(false)
    expect(isSignedByEpay({ 'a=1&b': '2', sign }, 'secret')).toBe(false)
  })
})
