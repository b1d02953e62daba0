import { describe, expect, it } from 'bun:test'
import { createVerify, generateKeyPairSync } from 'node:crypto'
import { signingTools } from './signing-tools.ts'

/** Signatures of vendors that sign, made of nothing but the tools, held against known ones. */
describe('signingTools', () => {
  it("make Tencent's TC3 signatures", () => {
    const tools = signingTools(1_700_000_000_000)
    const body =
      '{"Model":"hunyuan-lite","Messages":[{"Role":"user","Content":"你好"}],"Stream":true,"TopP":0.9,"Temperature":0.5}'
    const canonical = [
      'POST\n/\n',
      'content-type:application/json\nhost:hunyuan.tencentcloudapi.com\nx-tc-action:chatcompletions\n',
      'content-type;host;x-tc-action',
      tools.sha256Hex(body),
    ].join('\n')
    expect(tools.sha256Hex(canonical)).toBe(
      'baaa0c1171226330425ec56d5b9c10174f9774b998cd3528b2f0959e137358fe',
    )
    const toSign = [
      'TC3-HMAC-SHA256',
      tools.nowMs / 1000,
      '2023-11-14/hunyuan/tc3_request',
      tools.sha256Hex(canonical),
    ].join('\n')
    const ofDate = tools.hmacSha256('TC3SecretKeyExample0123456789', '2023-11-14')
    const key = tools.hmacSha256(tools.hmacSha256(ofDate, 'hunyuan'), 'tc3_request')
    expect(tools.hmacSha256Hex(key, toSign)).toBe(
      '87504b333422b5c048f084d1bc29aea32420840941b7d7facd9dfd4bad6a4813',
    )
  })

  it("make Zhipu's JSON Web Tokens (HS256)", () => {
    const tools = signingTools(1_700_000_000_000)
    const [id, secret = ''] = 'a1b2c3d4e5f60718293a4b5c6d7e8f90.ZhipuSecret12345'.split('.')
    const header = tools.base64url('{"alg":"HS256","sign_type":"SIGN"}')
    const claims = { api_key: id, exp: tools.nowMs + 86_400_000, timestamp: tools.nowMs }
    const signed = `${header}.${tools.base64url(JSON.stringify(claims))}`
    expect(`${signed}.${tools.base64url(tools.hmacSha256(secret, signed))}`).toBe(
      'eyJhbGciOiJIUzI1NiIsInNpZ25fdHlwZSI6IlNJR04ifQ.eyJhcGlfa2V5IjoiYTFiMmMzZDRlNWY2MDcxODI5M2E0YjVjNmQ3ZThmOTAiLCJleHAiOjE3MDAwODY0MDAwMDAsInRpbWVzdGFtcCI6MTcwMDAwMDAwMDAwMH0.wanFFc-PmEkmW_bGNiKmyIZ39fnRmlNwLDkUAJ8fe-o',
    )
  })

  it("make Xunfei's signed addresses", () => {
    const tools = signingTools(Date.parse('Thu, 15 Feb 2024 08:30:00 GMT'))
    const date = new Date(tools.nowMs).toUTCString()
    const toSign = `host: spark-api.xf-yun.com\ndate: ${date}\nGET /v3.5/chat HTTP/1.1`
    const signature = tools.base64(tools.hmacSha256('dGVzdHNlY3JldA0123456789abcdef', toSign))
    expect(signature).toBe('CyFG8LRyMvKBh8Q3VQYvVz/EIQ6dPJvurzMtl+LHdmY=')
  })

  it('sign as RSA keys of service accounts do, and refuse what is no key', () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    })
    const tools = signingTools(0)
    const signature = tools.rsaSha256(privateKey, 'header.claims')
    expect(createVerify('RSA-SHA256').update('header.claims').verify(publicKey, signature)).toBe(true)
    expect(() => tools.rsaSha256('no key', 'x')).toThrow(TypeError)
  })
})
