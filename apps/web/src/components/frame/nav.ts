import { roles } from '@tollgate/api'
import {
  Cable,
  Gauge,
  History,
  Image,
  KeyRound,
  LayoutDashboard,
  ListTodo,
  type LucideIcon,
  MessagesSquare,
  PanelsTopLeft,
  ScrollText,
  Settings,
  SlidersHorizontal,
  Ticket,
  UserRound,
  Users,
  Wallet,
} from 'lucide-react'
import { useMemo } from 'react'
import { chatLinksOf } from '../../lib/chat-links.ts'
import { useLocal } from '../../lib/local-store.ts'
import { useUser } from '../../lib/session.ts'
import { useStatus } from '../../lib/status.ts'

/** Local values that say what the installation offers. */
type NavFlag = 'enable_data_export' | 'enable_drawing' | 'enable_task'

/** A page of the side menu. A new page is one entry here; the menu, the palette and the keys follow. */
export interface NavEntry {
  readonly to:
    | '/playground'
    | '/detail'
    | '/token'
    | '/log'
    | '/midjourney'
    | '/task'
    | '/channel'
    | '/redemption'
    | '/topup'
    | '/personal'
    | '/user'
    | '/audit'
    | '/setting'
  /** The part of the page that it is. */
  readonly search?: { readonly tab: 'operation' | 'ratelimit' | 'models' | 'other' }
  /** Key of its name under `nav` in the common texts. */
  readonly label:
    | 'playground'
    | 'dashboard'
    | 'tokens'
    | 'logs'
    | 'drawings'
    | 'tasks'
    | 'channels'
    | 'redemptions'
    | 'wallet'
    | 'personalSettings'
    | 'users'
    | 'audit'
    | 'settings'
    | 'settingsOperation'
    | 'settingsRateLimit'
    | 'settingsModels'
    | 'settingsOther'
  readonly icon: LucideIcon
  /** `g`, then this letter. */
  readonly letter: string
  /** Least role that sees it. */
  readonly role: number
  /** Those from this role on have another way there. */
  readonly below?: number
  /** Shown only while the installation has this switched on. */
  readonly flag?: NavFlag
  /** The page it is, once its features are there: shown in the palette under other words too. */
  readonly keywords: readonly string[]
}

export interface NavGroup {
  /** Key of the caption under `nav`; none for the group at the top. */
  readonly label?: 'console' | 'admin' | 'personal'
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
        to: '/detail',
        label: 'dashboard',
        icon: LayoutDashboard,
        letter: 'd',
        role: roles.common,
        flag: 'enable_data_export',
        keywords: ['usage', 'chart', 'statistics', 'problems', '图表', '统计'],
      },
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
      {
        to: '/midjourney',
        label: 'drawings',
        icon: Image,
        letter: 'm',
        role: roles.common,
        flag: 'enable_drawing',
        keywords: ['midjourney', 'image', '绘图', '图片'],
      },
      {
        to: '/task',
        label: 'tasks',
        icon: ListTodo,
        letter: 'k',
        role: roles.common,
        flag: 'enable_task',
        keywords: ['suno', 'music', 'video', '音乐', '视频'],
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
      {
        to: '/redemption',
        label: 'redemptions',
        icon: Ticket,
        letter: 'r',
        role: roles.admin,
        keywords: ['code', 'voucher', 'gift', '兑换码'],
      },
      {
        to: '/user',
        label: 'users',
        icon: Users,
        letter: 'u',
        role: roles.admin,
        keywords: ['account', 'people', 'balance', '账户', '额度'],
      },
      {
        to: '/audit',
        label: 'audit',
        icon: History,
        letter: 'a',
        role: roles.admin,
        keywords: ['history', 'changes', 'who', '记录', '变更'],
      },
      // Root has all parts as tabs of one page; administrators reach theirs one by one.
      {
        to: '/setting',
        label: 'settings',
        icon: Settings,
        letter: 's',
        role: roles.root,
        keywords: ['option', 'price', 'ratio', '选项', '价格', '倍率'],
      },
      {
        to: '/setting',
        search: { tab: 'operation' },
        label: 'settingsOperation',
        icon: Settings,
        letter: 's',
        role: roles.admin,
        below: roles.root,
        keywords: ['option', 'price', 'ratio', '选项', '价格', '倍率'],
      },
      {
        to: '/setting',
        search: { tab: 'ratelimit' },
        label: 'settingsRateLimit',
        icon: Gauge,
        letter: 'e',
        role: roles.admin,
        below: roles.root,
        keywords: ['limit', 'requests', '限制'],
      },
      {
        to: '/setting',
        search: { tab: 'models' },
        label: 'settingsModels',
        icon: SlidersHorizontal,
        letter: 'n',
        role: roles.admin,
        below: roles.root,
        keywords: ['gemini', 'claude', '模型'],
      },
      {
        to: '/setting',
        search: { tab: 'other' },
        label: 'settingsOther',
        icon: PanelsTopLeft,
        letter: 'o',
        role: roles.admin,
        below: roles.root,
        keywords: ['notice', 'logo', 'footer', '公告'],
      },
    ],
  },
  {
    label: 'personal',
    entries: [
      {
        to: '/topup',
        label: 'wallet',
        icon: Wallet,
        letter: 'w',
        role: roles.common,
        keywords: ['balance', 'top up', 'redeem', 'pay', '余额', '充值', '兑换'],
      },
      {
        to: '/personal',
        label: 'personalSettings',
        icon: UserRound,
        letter: 'i',
        role: roles.common,
        keywords: ['account', 'password', 'profile', 'passkey', '2fa', 'invite', '账户', '密码', '邀请'],
      },
    ],
  },
]

/** The menu as the person who is logged in sees it; empty for a visitor. */
export function useNav(): readonly NavGroup[] {
  const role = useUser()?.role ?? 0
  const flags: Readonly<Record<NavFlag, boolean>> = {
    enable_data_export: useLocal('enable_data_export') === 'true',
    enable_drawing: useLocal('enable_drawing') === 'true',
    enable_task: useLocal('enable_task') === 'true',
  }
  const isShown = ({ role: least, below = Number.POSITIVE_INFINITY, flag }: NavEntry) =>
    role >= least && role < below && (flag === undefined || flags[flag])
  return navGroups
    .map((group) => ({ ...group, entries: group.entries.filter(isShown) }))
    .filter((group) => group.entries.length > 0)
}

/** A saved chat link: its page is its position. */
interface ChatEntry {
  readonly id: string
  readonly name: string
}

/** The chat clients that the operator offers. */
export function useChatEntries(): readonly ChatEntry[] {
  const chats = useStatus()?.chats
  return useMemo(
    () => chatLinksOf(chats).map(({ name }, position) => ({ id: String(position), name })),
    [chats],
  )
}
