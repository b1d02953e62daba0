import { describe, expect, it } from 'bun:test'
import { fieldsForResponses, lostVendorFields } from './vendor-fields.ts'

describe('lostVendorFields', () => {
  it('names what another format has no word for, and nothing of its own', () => {
    const vendor = { format: 'anthropic-messages', fields: { context_management: {} } } as const
    expect(lostVendorFields(vendor, 'openai-chat')).toEqual(['context_management'])
    expect(lostVendorFields(vendor, 'anthropic-messages')).toEqual([])
    expect(lostVendorFields(undefined, 'gemini')).toEqual([])
  })

  it('leaves what Chat Completions and Responses have by one name to be carried', () => {
    const fields = { safety_identifier: 's', prompt_cache_retention: '24h', store: true }
    const vendor = { format: 'openai-chat', fields } as const
    expect(lostVendorFields(vendor, 'openai-responses')).toEqual(['store'])
    expect(fieldsForResponses(vendor)).toEqual({ safety_identifier: 's', prompt_cache_retention: '24h' })
    expect(lostVendorFields(vendor, 'gemini')).toEqual(Object.keys(fields))
    expect(fieldsForResponses({ format: 'gemini', fields })).toEqual({})
  })

  it('refuses what would change the response, unless it is switched off', () => {
    const background = (on: boolean) => ({ format: 'openai-responses', fields: { background: on } }) as const
    expect(() => lostVendorFields(background(true), 'openai-chat')).toThrow('background is not supported')
    expect(lostVendorFields(background(false), 'openai-chat')).toEqual(['background'])
    const servers = (mcp_servers: unknown) =>
      ({ format: 'anthropic-messages', fields: { mcp_servers } }) as const
    expect(() => lostVendorFields(servers([{}]), 'gemini')).toThrow('mcp_servers is not supported')
    expect(lostVendorFields(servers([]), 'gemini')).toEqual(['mcp_servers'])
    const bias = (logit_bias: unknown) => ({ format: 'openai-chat', fields: { logit_bias } }) as const
    expect(() => lostVendorFields(bias({ 50256: -100 }), 'gemini')).toThrow('logit_bias is not supported')
    expect(lostVendorFields(bias({}), 'gemini')).toEqual(['logit_bias'])
  })
})
