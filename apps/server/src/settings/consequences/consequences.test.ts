import { describe, expect, it } from 'bun:test'
import { defaults, type SettingValues } from '@tollgate/api/settings'
import { ConfirmationRequired } from './confirmation.ts'
import { settleConsequences } from './consequences.ts'

/** Three passkeys of two people, and nobody in any group. */
const rows = {
  passkeys: { count: async () => ({ passkeys: 3, users: 2 }) },
  groupMembers: { count: async () => ({ users: 0, tokens: 0, channels: 0 }) },
} as unknown as Parameters<typeof settleConsequences>[0]

const at = (ServerAddress: string): SettingValues => ({ ...defaults, ServerAddress })

async function moved(from: string, to: string, confirmation?: string): Promise<unknown> {
  try {
    return await settleConsequences(rows, { before: at(from), after: at(to) }, { confirmation })
  } catch (error) {
    return error
  }
}

describe('another host in ServerAddress', () => {
  it('is said before it is saved, while there are passkeys, and saved once confirmed', async () => {
    const requested = await moved('https://old.example', 'https://new.example')
    if (!(requested instanceof ConfirmationRequired)) throw new Error('nobody was asked')
    expect(requested.publicMessage('en')).toContain('3 passkeys of 2 people were made for old.example')
    expect(requested.publicMessage('zh')).toContain('3 个通行密钥')
    expect(await moved('https://old.example', 'https://new.example', requested.confirmation)).toEqual([])
    expect(
      await moved('https://old.example', 'https://other.example', requested.confirmation),
    ).toBeInstanceOf(ConfirmationRequired)
    expect(await moved('https://old.example', '')).toBeInstanceOf(ConfirmationRequired)
  })

  it('is none where only scheme, port or path change', async () => {
    expect(await moved('http://old.example:3000', 'https://old.example/')).toEqual([])
  })
})
