import { describe, expect, it } from 'bun:test'
import { decryptValue } from './decrypt.ts'

const salt = 'salt-key-of-a-test'

/** Written by PyNaCl and by Python's cryptography, as LiteLLM calls them. */
const sealed = [
  [
    'secretbox',
    'AAECAwQFBgcICQoLDA0ODxAREhMUFRYX7AWuFV+I0/8RJj8A/GImC/pq6SzqL5hMFNP01anMk2I=',
    'sk-stored-secret',
  ],
  [
    'secretbox in the alphabet of addresses',
    'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXWmEOrSRIZ-WidxCJEXYwueZxoTH_KcVOAIqqhKWTm39mGQ==',
    'openai/gpt-4o-mini',
  ],
  [
    'AES-GCM by SHA-256',
    'v2:gcm:AAECAwQFBgcICQoL5iC-x04uX42g1tT66GZ3JPdB_wmXN_IjLVm4hGKoLvg=',
    'sk-stored-secret',
  ],
  [
    'AES-GCM by HKDF',
    'v3:gcm:AAECAwQFBgcICQoLJ4hbuQUz_XJt2qMPcFkZTAs3i5FqncAcyyxHSguAngk=',
    'sk-stored-secret',
  ],
] as const

describe('a value that LiteLLM has sealed', () => {
  it.each(sealed)('opens with its salt key: %s', async (_, value, text) => {
    expect(await decryptValue(value, salt)).toBe(text)
  })

  it.each(sealed)('stays shut to another key, and when it is changed: %s', async (_, value) => {
    expect(await decryptValue(value, 'another')).toBeUndefined()
    expect(await decryptValue(value.replace('AAEC', 'AAED'), salt)).toBeUndefined()
    expect(await decryptValue(value.slice(0, 30), salt)).toBeUndefined()
  })

  it('is none when it was stored in clear', async () => {
    for (const plain of ['openai/gpt-4o', 'https://api.example/v1', '', 'v3:gcm:'])
      expect(await decryptValue(plain, salt)).toBeUndefined()
  })
})
