import { describe, expect, it } from 'bun:test'
import { Refusal } from '../../lib/refusal.ts'
import {
  checkModelMapping,
  parseChannelSetting,
  parseModelMapping,
  parseParamOverride,
  parseStatusCodeMapping,
} from './channel-fields.ts'

function codeOf(read: () => unknown): string {
  try {
    return `accepted ${JSON.stringify(read())}`
  } catch (error) {
    return error instanceof Refusal ? error.code : `not a refusal: ${String(error)}`
  }
}

describe('parseModelMapping', () => {
  it('follows chains to their end, which may be a name that maps to itself', () => {
    expect(parseModelMapping('{"a":"b","b":"c","self":"self","to-self":"self"}').final).toEqual(
      new Map([
        ['a', 'c'],
        ['b', 'c'],
        ['self', 'self'],
        ['to-self', 'self'],
      ]),
    )
  })

  it('names the cyclic chains, and resolves the others', () => {
    const { final, loops } = parseModelMapping('{"a":"b","b":"a","c":"d"}')
    expect([...final]).toEqual([['c', 'd']])
    expect([...loops]).toEqual(['a', 'b'])
  })

  it.each([
    ['{"a":"b","b":"a"}', 'channel_mapping_cycle'],
    ['{"a":"b","b":"c","c":"b"}', 'channel_mapping_cycle'],
    ['{"a":1}', 'channel_mapping_not_text'],
    ['{"a":""}', 'channel_mapping_not_text'],
    ['["a"]', 'channel_mapping_not_text'],
    ['null', 'channel_mapping_not_text'],
    ['{a:b}', 'channel_json_invalid'],
  ])('refuses %s', (text, code) => expect(codeOf(() => checkModelMapping(text))).toBe(code))

  it('is empty when not set', () => expect(parseModelMapping('  ').final.size).toBe(0))
})

describe('parseStatusCodeMapping', () => {
  it('reads codes', () => expect(parseStatusCodeMapping('{"400":"500"}')).toEqual(new Map([[400, 500]])))

  it.each([
    ['{"500":"200"}', 'channel_status_mapping_invalid'],
    ['{"500":"302"}', 'channel_status_mapping_invalid'],
    ['{"5xx":"500"}', 'channel_status_mapping_invalid'],
    ['{"500":"600"}', 'channel_status_mapping_invalid'],
    ['{"500":500}', 'channel_mapping_not_text'],
    ['500', 'channel_mapping_not_text'],
  ])('refuses %s', (text, code) => expect(codeOf(() => parseStatusCodeMapping(text))).toBe(code))
})

describe('parseParamOverride', () => {
  it('reads an object', () =>
    expect(parseParamOverride('{"temperature":0}')).toEqual({ fields: { temperature: 0 }, operations: [] }))

  it('is nothing when empty', () =>
    expect(['', '{}', '{"operations":[]}'].map(parseParamOverride)).toEqual([null, null, null]))

  it.each([
    ['{"stream":true}', 'channel_param_override_stream'],
    ['{"stream":null}', 'channel_param_override_stream'],
    ['[]', 'channel_param_override_not_object'],
    ['"x"', 'channel_param_override_not_object'],
    ['{', 'channel_json_invalid'],
  ])('refuses %s', (text, code) => expect(codeOf(() => parseParamOverride(text))).toBe(code))
})

describe('parseChannelSetting', () => {
  it('reads known keys and ignores others', () => {
    const text =
      '{"force_format":true,"thinking_to_content":false,"proxy":" http://proxy.example:8080 ","later":[1]}'
    expect(parseChannelSetting(text)).toEqual({
      forceFormat: true,
      thinkingToContent: false,
      proxy: 'http://proxy.example:8080',
      passThroughBody: false,
      instructions: undefined,
      fields: { allowed: new Set(['store']), strips: false },
      stripsDeploymentDots: false,
    })
    expect(parseChannelSetting('{"strip_deployment_dots":true}').stripsDeploymentDots).toBe(true)
  })

  it('reads which fields of callers are forwarded', () => {
    const text =
      '{"allow_service_tier":true,"allow_speed":false,"disable_store":true,"strip_unpriced_fields":true}'
    expect(parseChannelSetting(text).fields).toEqual({ allowed: new Set(['service-tier']), strips: true })
  })

  it("reads the channel's own system prompt", () => {
    const text =
      '{"system_prompt":"Be brief.","system_prompt_override":true,"pass_through_body_enabled":true}'
    expect(parseChannelSetting(text)).toMatchObject({
      instructions: { text: 'Be brief.', always: true },
      passThroughBody: true,
    })
  })

  it('takes socks5 proxies', () =>
    expect(parseChannelSetting('{"proxy":"socks5://me:pw@proxy.example:1080"}').proxy).toBe(
      'socks5://me:pw@proxy.example:1080',
    ))

  it.each([
    ['{"force_format":"yes"}', 'channel_setting_not_flag'],
    ['{"allow_service_tier":"yes"}', 'channel_setting_not_flag'],
    ['{"strip_unpriced_fields":1}', 'channel_setting_not_flag'],
    ['{"thinking_to_content":1}', 'channel_setting_not_flag'],
    ['{"proxy":"socks4://proxy.example"}', 'channel_proxy_invalid'],
    ['{"system_prompt":7}', 'channel_setting_not_text'],
    ['{"pass_through_body":"yes"}', 'channel_setting_not_flag'],
    ['{"proxy":"proxy.example:8080"}', 'channel_proxy_invalid'],
    ['{"proxy":7}', 'channel_proxy_invalid'],
    ['[]', 'channel_json_invalid'],
    ['nonsense', 'channel_json_invalid'],
  ])('refuses %s', (text, code) => expect(codeOf(() => parseChannelSetting(text))).toBe(code))
})

describe('the cost factor in the setting', () => {
  it('is absent for a channel at list price', () => {
    expect(parseChannelSetting('{"cost_factor": 0.7}').costFactor).toBe(0.7)
    expect(parseChannelSetting('{"cost_factor": 0}').costFactor).toBe(0)
    expect(parseChannelSetting('{"cost_factor": 1}').costFactor).toBeUndefined()
    expect(parseChannelSetting('{}').costFactor).toBeUndefined()
  })

  it.each(['-0.1', '101', '"0.7"', 'null', 'true'])('is refused as %s', (factor) => {
    expect(() => parseChannelSetting(`{"cost_factor": ${factor}}`)).toThrow(Refusal)
  })
})

describe('limits in the setting', () => {
  it('are optional, and refused where they make no sense', () => {
    expect(parseChannelSetting('{"requests_per_minute": 5, "concurrency": 0}').limits).toEqual({
      requestsPerMinute: 5,
      tokensPerMinute: 0,
      concurrency: 0,
    })
    expect(parseChannelSetting('{"concurrency": 0}').limits).toBeUndefined()
    for (const bad of ['-1', '1.5', '"3"', '1e12'])
      expect(() => parseChannelSetting(`{"tokens_per_minute": ${bad}}`)).toThrow()
  })
})
