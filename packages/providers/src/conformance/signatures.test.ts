import { describe, expect, it } from 'bun:test'
import { createHash, createHmac } from 'node:crypto'
import type { SigningTools } from '../credential.ts'
import { zhipuToken } from '../families/zhipu.ts'
import {
  canonicalRequest as canonicalVolcengine,
  jimeng,
  signingKey,
  signVolcengine,
} from '../vendors/jimeng/index.ts'
import { kling, klingToken } from '../vendors/kling/index.ts'
import { canonicalRequest, signTc3, tencent } from '../vendors/tencent/index.ts'
import { xunfei } from '../vendors/xunfei/index.ts'
import { zhipu } from '../vendors/zhipu/index.ts'

const toolsAt = (nowMs: number): SigningTools => ({
  nowMs,
  sha256Hex: (text) => createHash('sha256').update(text).digest('hex'),
  hmacSha256: (key, text) => createHmac('sha256', key).update(text).digest(),
  hmacSha256Hex: (key, text) => createHmac('sha256', key).update(text).digest('hex'),
  base64: (bytes) => Buffer.from(bytes).toString('base64'),
  base64url: (bytes) => Buffer.from(bytes).toString('base64url'),
  rsaSha256: () => new Uint8Array(),
  randomId: () => '',
})
const target = { baseUrl: '', key: '', openaiOrganization: '', other: '' }

describe("Tencent's signature", () => {
  const tools = toolsAt(1_700_000_000_999)
  const key = { secretId: 'AKIDEXAMPLE0123456789', secretKey: 'SecretKeyExample0123456789' }

  it.each([
    [
      'ChatCompletions',
      '{"Model":"hunyuan-lite","Messages":[{"Role":"user","Content":"hello"}],"Stream":false}',
      '2ab6087b30748c37f614828c6d46e7b79ea5f12e6af2a2253e2e1c9c4db2e349',
      '25509fdd51b9e7fb375a055f13249f3756c62adc70887ef443a5dbf7b23613f6',
    ],
    [
      'ChatCompletions',
      '{"Model":"hunyuan-lite","Messages":[{"Role":"user","Content":"你好"}],"Stream":true,"TopP":0.9,"Temperature":0.5}',
      'baaa0c1171226330425ec56d5b9c10174f9774b998cd3528b2f0959e137358fe',
      '87504b333422b5c048f084d1bc29aea32420840941b7d7facd9dfd4bad6a4813',
    ],
    [
      'GetEmbedding',
      '{"InputList":["hello"]}',
      '9b162dfe4d0b60e43e16cde8c8374e302f7a28a4f4498c82b4c55f59031046e4',
      'c0a767cc861e343a8e07ce5d0481821e1f9746b3c00055f51badefd4de22b7e0',
    ],
  ])('of %s is the known one', (action, body, canonical, signature) => {
    const request = {
      method: 'POST' as const,
      url: 'https://hunyuan.tencentcloudapi.com/',
      headers: { 'content-type': 'application/json', 'x-tc-action': action },
      body,
    }
    expect(tools.sha256Hex(canonicalRequest(request, tools))).toBe(canonical)
    const { headers } = signTc3(request, key, tools)
    expect(headers).toMatchObject({
      'x-tc-timestamp': '1700000000',
      authorization: `TC3-HMAC-SHA256 Credential=${key.secretId}/2023-11-14/hunyuan/tc3_request, SignedHeaders=content-type;host;x-tc-action, Signature=${signature}`,
    })
  })

  it.each(['', 'a|b', 'a|b|', 'a|b|c|d'])('is made with no key like %p', (wrong) => {
    const { credential } = tencent
    if (credential.kind !== 'signed') throw new Error('not signed')
    const request = { method: 'POST' as const, url: 'https://h.example/', headers: {}, body: '' }
    expect(() => credential.sign(request, { ...target, key: wrong }, tools)).toThrow(
      'the key must be AppId|SecretId|SecretKey',
    )
  })
})

describe("Spark's signature", () => {
  const { credential } = xunfei
  if (credential.kind !== 'signed') throw new Error('not signed')
  const tools = toolsAt(Date.UTC(2024, 1, 15, 8, 30))
  const key = 'appid01|dGVzdHNlY3JldA0123456789abcdef|testapikey0123456789abcdef012345'
  const sign = (url: string, of = key) =>
    credential.sign({ method: 'GET', url, headers: {}, body: '' }, { ...target, key: of }, tools)

  it('is the known one, in the address', () => {
    const url = new URL(sign('wss://spark-api.xf-yun.com/v3.5/chat').url)
    expect(url.searchParams.get('authorization')).toBe(
      'YXBpX2tleT0idGVzdGFwaWtleTAxMjM0NTY3ODlhYmNkZWYwMTIzNDUiLCBhbGdvcml0aG09ImhtYWMtc2hhMjU2IiwgaGVhZGVycz0iaG9zdCBkYXRlIHJlcXVlc3QtbGluZSIsIHNpZ25hdHVyZT0iQ3lGRzhMUnlNdktCaDhRM1ZRWXZWei9FSVE2ZFBKdnVyek10bCtMSGRtWT0i',
    )
    expect(url.search).toContain('date=Thu%2C%2015%20Feb%202024%2008%3A30%3A00%20GMT')
    expect(url.searchParams.get('host')).toBe('spark-api.xf-yun.com')
  })

  it.each([
    ['/v1.1/chat', 'BwRXnNzMcUZ/rH+YTUP5kQFhrV3DQqZS0scAHFfRooM='],
    ['/chat/pro-128k', 'Piv4uIHKxWTzdf0wetE51iihYctn282YR2U2QaCBl74='],
  ])('covers the path %s', (path, signature) => {
    const url = new URL(sign(`wss://spark-api.xf-yun.com${path}`).url)
    expect(atob(url.searchParams.get('authorization') ?? '')).toEndWith(`signature="${signature}"`)
  })

  it.each(['', 'a', 'a|b', 'a| |c', 'a|b|c|d'])('is made with no key like %p', (wrong) => {
    expect(() => sign('wss://h.example/v1.1/chat', wrong)).toThrow('the key must be APPID|APISecret|APIKey')
  })
})

describe("Zhipu's token", () => {
  const tools = toolsAt(1_700_000_000_000)

  it('is the known one', () => {
    expect(zhipuToken('a1b2c3d4e5f60718293a4b5c6d7e8f90.ZhipuSecret12345', tools)).toBe(
      'eyJhbGciOiJIUzI1NiIsInNpZ25fdHlwZSI6IlNJR04ifQ.eyJhcGlfa2V5IjoiYTFiMmMzZDRlNWY2MDcxODI5M2E0YjVjNmQ3ZThmOTAiLCJleHAiOjE3MDAwODY0MDAwMDAsInRpbWVzdGFtcCI6MTcwMDAwMDAwMDAwMH0.wanFFc-PmEkmW_bGNiKmyIZ39fnRmlNwLDkUAJ8fe-o',
    )
  })

  it.each(['', 'id', 'id.', '.secret', 'a.b.c'])('is made with no key like %p', (wrong) => {
    expect(() => zhipuToken(wrong, tools)).toThrow('the key must be id.secret')
  })

  it('goes to version 4 as a bearer token, and a key other than a pair unchanged', () => {
    const { credential } = zhipu
    if (credential.kind !== 'signed') throw new Error('not signed')
    const request = { method: 'POST' as const, url: 'https://h.example', headers: {}, body: '' }
    const sign = (key: string) => credential.sign(request, { ...target, key }, tools).headers
    expect(sign('id.secret')).toEqual({ authorization: `Bearer ${zhipuToken('id.secret', tools)}` })
    expect(sign('sk-plain')).toEqual({ authorization: 'Bearer sk-plain' })
  })
})

const unsigned = { method: 'POST' as const, url: 'https://h.example/', headers: {}, body: '' }

describe("Kling's token", () => {
  const tools = toolsAt(1_700_000_000_000)
  const key = { accessKey: 'ak_example', secretKey: 'sk_example_secret' }

  it('is the known one', () => {
    expect(klingToken(key, tools)).toBe(
      'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJha19leGFtcGxlIiwiZXhwIjoxNzAwMDAxODAwLCJuYmYiOjE2OTk5OTk5OTV9.RsvZaxvUIeehmCayaV2qA4JxUlQbVK5lvgIJCNLeLUU',
    )
  })

  it('is a bearer token, as the key of another gateway is', () => {
    const { credential } = kling
    if (credential.kind !== 'signed') throw new Error('not signed')
    const sign = (of: string) => credential.sign(unsigned, { ...target, key: of }, tools).headers
    expect(sign('ak_example|sk_example_secret')).toEqual({
      authorization: `Bearer ${klingToken(key, tools)}`,
    })
    expect(sign('sk-gateway')).toEqual({ authorization: 'Bearer sk-gateway' })
    for (const wrong of ['', 'a', 'a|', 'a|b|c'])
      expect(() => sign(wrong)).toThrow('the key must be AccessKey|SecretKey')
  })
})

describe("Volcengine's signature", () => {
  const tools = toolsAt(Date.UTC(2023, 10, 14, 22, 13, 20))
  const key = { accessKey: 'AKExample', secretKey: 'VolcSecretExample==' }
  const request = {
    method: 'POST' as const,
    url: 'https://visual.volcengineapi.com/?Action=CVSync2AsyncSubmitTask&Version=2022-08-31',
    headers: { 'content-type': 'application/json' },
    body: '{"req_key":"jimeng_vgfm_t2v_l20","prompt":"a cat","seed":-1,"aspect_ratio":"16:9"}',
  }

  it('is the known one', () => {
    const canonical = canonicalVolcengine(request, '20231114T221320Z', tools)
    expect(tools.sha256Hex(canonical)).toBe(
      '309794ad8e3a1e10d510ee72d071106d66a1d8f519ad46661ab74117ffb23203',
    )
    expect(Buffer.from(signingKey(key.secretKey, '20231114', tools)).toString('hex')).toBe(
      '3783e1f5400bf67e903e8e47c74c2a1cc8d0426a427be63516dc0d27181c0499',
    )
    expect(signVolcengine(request, key, tools).headers).toEqual({
      'content-type': 'application/json',
      'x-date': '20231114T221320Z',
      'x-content-sha256': '3f1e85f313738d6656327a378ec4b414d0fbd42843d4a13bde85a0f6d68da33b',
      authorization:
        'HMAC-SHA256 Credential=AKExample/20231114/cn-north-1/cv/request, SignedHeaders=content-type;host;x-content-sha256;x-date, Signature=54cd251e9ddc547dc1f8f8f50812aabb01a1bf734280ef3f59d3441e1bfd2fa9',
    })
  })

  it('covers the query in its order, whatever the address says', () => {
    const turned = {
      ...request,
      url: 'https://VISUAL.volcengineapi.com/?Version=2022-08-31&Action=CVSync2AsyncSubmitTask',
    }
    expect(signVolcengine(turned, key, tools).headers).toEqual(signVolcengine(request, key, tools).headers)
  })

  it('is not made for keys of another gateway, nor with keys of another shape', () => {
    const { credential } = jimeng
    if (credential.kind !== 'signed') throw new Error('not signed')
    const sign = (of: string) => credential.sign(unsigned, { ...target, key: of }, tools).headers
    expect(sign('sk-gateway')).toEqual({ authorization: 'Bearer sk-gateway' })
    expect(sign('ak|sk')).toHaveProperty('x-content-sha256')
    for (const wrong of ['', 'a', '|b', 'a|b|c'])
      expect(() => sign(wrong)).toThrow('the key must be AccessKey|SecretKey')
  })
})
