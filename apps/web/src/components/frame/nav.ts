import { type AdminPart, type CallPart, partsOf, roles } from '@tollgate/api'
import {
  Activity,
  BadgeDollarSign,
  Boxes,
  Cable,
  Coins,
  FileText,
  Gauge,
  History,
  Image,
  KeyRound,
  LayoutDashboard,
  ListTodo,
  type LucideIcon,
  MessagesSquare,
  PanelsTopLeft,
  ReceiptText,
  ScrollText,
  Server,
  Settings,
  ShieldAlert,
  Siren,
  SlidersHorizontal,
  Tags,
  Ticket,
  UserRound,
  Users,
  Wallet,
  Waypoints,
} from 'lucide-react'
import { useMemo } from 'react'
import type { Resources } from '../../i18n/resources.ts'
import { useStatus } from '../../lib/api/status.ts'
import { useLocal } from '../../lib/browser/local-store.ts'
import { chatLinksOf } from '../../lib/session/chat-links.ts'
import { useUser } from '../../lib/session/session.ts'

/** Features that the installation may switch off, by their local value. */
type NavFlag = 'enable_data_export' | 'enable_drawing' | 'enable_task' | 'enable_status_page'

/** A page of the side menu. A new page is one entry here; the menu, the palette and the keys follow. */
export interface NavEntry {
  readonly to:
    | '/playground'
    | '/detail'
    | '/token'
    | '/log'
    | '/pricing'
    | '/status'
    | '/midjourney'
    | '/task'
    | '/channel'
    | '/models'
    | '/group'
    | '/route'
    | '/redemption'
    | '/spend'
    | '/statement'
    | '/orders'
    | '/topup'
    | '/personal'
    | '/user'
    | '/audit'
    | '/incidents'
    | '/security'
    | '/nodes'
    | '/setting'
  /** The tab of the page. */
  readonly search?: { readonly tab: 'operation' | 'ratelimit' | 'models' | 'other' }
  readonly label: keyof Resources['common']['nav']
  readonly icon: LucideIcon
  /** The key that opens it, after `g`. */
  readonly letter: string
  /** The part of an administrator that it belongs to; `any` when absent. */
  readonly part?: CallPart
  /** The least role that sees it; that of the group when absent. */
  readonly role?: number
  /** Role from which on the person has another way there. */
  readonly below?: number
  /** Shown only while the installation has this switched on. */
  readonly flag?: NavFlag
  /** Other words that find it in the palette, separated by commas. */
  readonly keywords: string
}

interface NavGroup {
  /** The caption; none for the group at the top. */
  readonly label?: 'console' | 'admin' | 'personal'
  readonly role: number
  readonly entries: readonly NavEntry[]
}

const { common, admin, root } = roles
const priceWords = 'option,price,ratio,选项,价格,倍率'

const navGroups: readonly NavGroup[] = [
  {
    role: common,
    entries: [
      {
        to: '/playground',
        label: 'playground',
        icon: MessagesSquare,
        letter: 'p',
        keywords: 'chat,try,聊天',
      },
    ],
  },
  {
    label: 'console',
    role: common,
    entries: [
      {
        to: '/detail',
        label: 'dashboard',
        icon: LayoutDashboard,
        letter: 'd',
        flag: 'enable_data_export',
        keywords: 'usage,chart,statistics,problems,图表,统计',
      },
      { to: '/token', label: 'tokens', icon: KeyRound, letter: 't', keywords: 'key,sk,token,密钥,令牌' },
      {
        to: '/pricing',
        label: 'pricing',
        icon: BadgeDollarSign,
        letter: 'h',
        keywords: 'price,cost,calculator,job,models,价格,费用,计算,模型',
      },
      {
        to: '/status',
        label: 'status',
        icon: Activity,
        letter: 'g',
        flag: 'enable_status_page',
        keywords: 'uptime,availability,incidents,outage,可用率,故障',
      },
      { to: '/log', label: 'logs', icon: ScrollText, letter: 'l', keywords: 'usage,charge,cost,用量,费用' },
      {
        to: '/midjourney',
        label: 'drawings',
        icon: Image,
        letter: 'm',
        flag: 'enable_drawing',
        keywords: 'midjourney,image,绘图,图片',
      },
      {
        to: '/task',
        label: 'tasks',
        icon: ListTodo,
        letter: 'k',
        flag: 'enable_task',
        keywords: 'suno,music,video,音乐,视频',
      },
    ],
  },
  {
    label: 'admin',
    role: admin,
    entries: [
      {
        to: '/channel',
        part: 'channels',
        label: 'channels',
        icon: Cable,
        letter: 'c',
        keywords: 'provider,upstream,上游',
      },
      {
        to: '/models',
        part: 'prices',
        label: 'models',
        icon: Tags,
        letter: 'b',
        keywords: 'price,ratio,cost,billing,margin,价格,倍率,定价',
      },
      {
        to: '/group',
        part: 'prices',
        label: 'groups',
        icon: Boxes,
        letter: 'z',
        keywords: 'ratio,limit,vip,rate,倍率,限制',
      },
      {
        to: '/route',
        part: 'channels',
        label: 'route',
        icon: Waypoints,
        letter: 'q',
        keywords: 'routing,simulate,priority,weight,failover,路由,优先级,权重',
      },
      {
        to: '/redemption',
        part: 'money',
        label: 'redemptions',
        icon: Ticket,
        letter: 'r',
        keywords: 'code,voucher,gift,兑换码',
      },
      {
        to: '/spend',
        part: 'money',
        label: 'spend',
        icon: Coins,
        letter: 'v',
        keywords: 'cost,usage,users,models,bill,export,消费,账单,统计',
      },
      {
        to: '/orders',
        part: 'money',
        label: 'orders',
        icon: ReceiptText,
        letter: 'y',
        keywords: 'payment,stripe,epay,refund,top up,支付,订单,退款',
      },
      {
        to: '/user',
        part: 'users',
        label: 'users',
        icon: Users,
        letter: 'u',
        keywords: 'account,people,balance,账户,额度',
      },
      {
        to: '/incidents',
        label: 'incidents',
        icon: Siren,
        letter: 'e',
        keywords: 'problems,alerts,outage,history,markdown,问题,告警,历史',
      },
      {
        to: '/audit',
        label: 'audit',
        icon: History,
        letter: 'a',
        keywords: 'history,changes,who,timeline,revert,记录,变更,时间线,还原',
      },
      {
        to: '/security',
        label: 'security',
        icon: ShieldAlert,
        letter: 'x',
        role: root,
        keywords: 'log in,failed,sessions,access,登录,安全',
      },
      {
        to: '/nodes',
        label: 'nodes',
        icon: Server,
        letter: 'f',
        role: root,
        keywords: 'fleet,process,journal,集群,进程',
      },
      // Root has all parts as tabs of one page; administrators reach theirs one by one.
      { to: '/setting', label: 'settings', icon: Settings, letter: 's', role: root, keywords: priceWords },
      {
        to: '/setting',
        search: { tab: 'operation' },
        part: ['settings', 'prices', 'money', 'log'],
        label: 'settingsOperation',
        icon: Settings,
        letter: 's',
        below: root,
        keywords: priceWords,
      },
      {
        to: '/setting',
        search: { tab: 'ratelimit' },
        part: 'settings',
        label: 'settingsRateLimit',
        icon: Gauge,
        letter: 'x',
        below: root,
        keywords: 'limit,requests,限制',
      },
      {
        to: '/setting',
        search: { tab: 'models' },
        part: 'settings',
        label: 'settingsModels',
        icon: SlidersHorizontal,
        letter: 'n',
        below: root,
        keywords: 'gemini,claude,模型',
      },
      {
        to: '/setting',
        search: { tab: 'other' },
        part: 'settings',
        label: 'settingsOther',
        icon: PanelsTopLeft,
        letter: 'o',
        below: root,
        keywords: 'notice,logo,footer,公告',
      },
    ],
  },
  {
    label: 'personal',
    role: common,
    entries: [
      {
        to: '/topup',
        label: 'wallet',
        icon: Wallet,
        letter: 'w',
        keywords: 'balance,top up,redeem,pay,余额,充值,兑换',
      },
      {
        to: '/statement',
        label: 'statement',
        icon: FileText,
        letter: 'j',
        keywords: 'bill,invoice,month,账单,对账',
      },
      {
        to: '/personal',
        label: 'personalSettings',
        icon: UserRound,
        letter: 'i',
        keywords: 'account,password,profile,passkey,2fa,invite,账户,密码,邀请',
      },
    ],
  },
]

/** Reader of the menu, with what the installation has switched on. */
interface NavReader {
  readonly role: number
  readonly parts: readonly AdminPart[]
  readonly flags: Readonly<Record<NavFlag, boolean>>
}

/** Returns the groups of the menu that a person sees, with their pages; none is empty. */
export function navFor({ role, parts, flags }: NavReader): readonly NavGroup[] {
  const isMine = ({ part = 'any' }: NavEntry) =>
    part === 'any' || partsOf(part).some((one) => parts.includes(one))
  const isVisible = (entry: NavEntry, { role: groupRole }: NavGroup) =>
    role >= (entry.role ?? groupRole) &&
    role < (entry.below ?? Number.POSITIVE_INFINITY) &&
    isMine(entry) &&
    (entry.flag === undefined || flags[entry.flag])
  return navGroups
    .map((group) => ({ ...group, entries: group.entries.filter((entry) => isVisible(entry, group)) }))
    .filter((group) => group.entries.length > 0)
}

/** The menu as the person who is logged in sees it; empty for a visitor. */
export function useNav(): readonly NavGroup[] {
  const user = useUser()
  const flags: Readonly<Record<NavFlag, boolean>> = {
    enable_data_export: useLocal('enable_data_export') === 'true',
    enable_drawing: useLocal('enable_drawing') === 'true',
    enable_task: useLocal('enable_task') === 'true',
    enable_status_page: useLocal('enable_status_page') === 'true',
  }
  return navFor({ role: user?.role ?? 0, parts: user?.admin_parts ?? [], flags })
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
