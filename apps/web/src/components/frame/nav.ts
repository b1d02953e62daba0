import { roles } from '@tollgate/api'
import { Cable, KeyRound, type LucideIcon, MessagesSquare, ScrollText } from 'lucide-react'

/** A page of the side menu. A new page is one entry here; the menu, the palette and the keys follow. */
export interface NavEntry {
  readonly to: '/playground' | '/token' | '/log' | '/channel'
  /** Key of its name under `nav` in the common texts. */
  readonly label: 'playground' | 'tokens' | 'logs' | 'channels'
  readonly icon: LucideIcon
  /** `g`, then this letter. */
  readonly letter: string
  /** Least role that sees it. */
  readonly role: number
  /** The page it is, once its features are there: shown in the palette under other words too. */
  readonly keywords: readonly string[]
}

export interface NavGroup {
  /** Key of the caption under `nav`; none for the group at the top. */
  readonly label?: 'console' | 'admin'
  readonly entries: readonly NavEntry[]
}

const navGroups: readonly NavGroup[] = [
  {
    entries: [
      {
        to: '/playground',
        label: 'playground',
        icon: MessagesSquare,
        letter: 'p',
        role: roles.common,
        keywords: ['chat', 'try', '聊天'],
      },
    ],
  },
  {
    label: 'console',
    entries: [
      {
        to: '/token',
        label: 'tokens',
        icon: KeyRound,
        letter: 't',
        role: roles.common,
        keywords: ['key', 'sk', 'token', '密钥', '令牌'],
      },
      {
        to: '/log',
        label: 'logs',
        icon: ScrollText,
        letter: 'l',
        role: roles.common,
        keywords: ['usage', 'charge', 'cost', '用量', '费用'],
      },
    ],
  },
  {
    label: 'admin',
    entries: [
      {
        to: '/channel',
        label: 'channels',
        icon: Cable,
        letter: 'c',
        role: roles.admin,
        keywords: ['provider', 'upstream', '上游'],
      },
    ],
  },
]

/** The menu as a person of this role sees it. */
export function navFor(role: number): readonly NavGroup[] {
  return navGroups
    .map((group) => ({ ...group, entries: group.entries.filter((entry) => role >= entry.role) }))
    .filter((group) => group.entries.length > 0)
}
