import { chatTargetNamed } from '@tollgate/api'
import { z } from 'zod'
import { Refusal } from '../lib/refusal.ts'
import type { ChangeBus } from '../store/change-events.ts'
import type { User } from '../store/repositories/users.ts'
import type { Store } from '../store/store.ts'
import { parseUserSetting } from './user-setting.ts'

const maximumHosts = 100

const stored = z.object({ chat_hosts: z.array(z.string()).catch([]).default([]) })

interface Dependencies {
  readonly store: { readonly users: Pick<Store['users'], 'update'> }
  readonly bus: ChangeBus
}

/** Keeps, once for each, to which targets of chat links somebody lets their keys go; answers all of them. */
export function createConfirmChatHost({ store, bus }: Dependencies) {
  return async (user: User, text: string): Promise<string[]> => {
    const host = chatTargetNamed(text)
    if (host === undefined) throw new Refusal('chat_host_invalid')
    const setting = parseUserSetting(user.setting)
    const known = stored.parse(setting).chat_hosts
    if (known.includes(host)) return known
    if (known.length >= maximumHosts) throw new Refusal('chat_hosts_too_many', { max: maximumHosts })
    const chat_hosts = [...known, host]
    await store.users.update(user.id, { setting: JSON.stringify({ ...setting, chat_hosts }) })
    bus.publish('user-changed', { id: user.id })
    return chat_hosts
  }
}
