import type { NewUser } from '../../store/store.ts'

let count = 0

/** A person with nothing special about them but what `fields` says. */
export function newUser(fields: Partial<NewUser> = {}): NewUser {
  count += 1
  return {
    username: `person-${count}`,
    displayName: 'A Person',
    passwordHash: '',
    role: 'common',
    status: 'enabled',
    group: 'default',
    email: '',
    githubId: '',
    oidcId: '',
    wechatId: '',
    telegramId: '',
    linuxDoId: '',
    accessTokenHash: '',
    affCode: `code${count}`,
    affCount: 0,
    affQuota: 0,
    affHistoryQuota: 0,
    inviterId: 0,
    setting: '',
    createdAt: 0,
    ...fields,
  }
}
