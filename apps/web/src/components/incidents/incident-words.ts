import type { LinkProps } from '@tanstack/react-router'
import {
  type ChannelReasonParams,
  channelReasonText,
  type Incident,
  type IncidentKind,
  incidentKinds,
  isChannelReasonCode,
} from '@tollgate/api'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { currentLanguage } from '../../i18n/index.ts'
import { localList } from '../../i18n/local-list.ts'
import { useMoneyDisplay } from '../../lib/api/status.ts'
import { capitalizeSentence } from '../../lib/format/capitalize-sentence.ts'
import { formatInteger, formatQuota } from '../../lib/format/format.ts'
import type { MoneyDisplay } from '../../lib/format/money-display.ts'
import type { Tone } from '../ui/tag.tsx'

/** The one step that mends a cause. */
export interface Mend {
  readonly label: 'channel' | 'channels' | 'price' | 'prices' | 'groups' | 'balance' | 'users' | 'calls'
  readonly link: Pick<LinkProps, 'to' | 'params' | 'search'>
}

type T = TFunction<'incidents'>

/** What the console says of a kind. */
interface KindWords {
  readonly title: (incident: Incident, t: T) => string
  readonly mend: (incident: Incident) => Mend
}

const allChannels: Mend = { label: 'channels', link: { to: '/channel', search: { sort: '-problems' } } }

function mendChannel({ members: { first, count } }: Incident): Mend {
  const [only] = first
  if (count !== 1 || only === undefined) return allChannels
  return { label: 'channel', link: { to: '/channel/edit/$id', params: { id: String(only.id) } } }
}

/** Where several models lose in few groups, the ratios of the groups are the cause. */
function isOfGroups({ groups, members }: Incident): boolean {
  return members.count > groups.length
}

const channelWords = (key: 'provider' | 'account'): KindWords => ({
  title: (incident, t) =>
    incident.members.count === 1
      ? t(`title.${key}`, { name: namesOf(incident, t) })
      : t(`title.${key}Many`, { name: incident.name, count: incident.members.count }),
  mend: mendChannel,
})

const words: Readonly<Record<IncidentKind, KindWords>> = {
  errors: {
    title: (_, t) => t('title.errors'),
    mend: () => ({ label: 'calls', link: { to: '/log', search: { range: '1h', why: true } } }),
  },
  provider: channelWords('provider'),
  account: channelWords('account'),
  channel: {
    title: (incident, t) =>
      t(incident.level >= failingLevel ? 'title.channel' : 'title.channelPartly', {
        name: namesOf(incident, t),
      }),
    mend: mendChannel,
  },
  unpriced: {
    title: (incident, t) =>
      t('title.unpriced', { count: incident.members.count, names: namesOf(incident, t) }),
    mend: ({ members: { first, count } }) =>
      count === 1
        ? { label: 'price', link: { to: '/models', search: { price: first[0]?.name ?? '' } } }
        : { label: 'prices', link: { to: '/models', search: { state: 'unpriced' } } },
  },
  'below-cost': {
    title: (incident, t) =>
      isOfGroups(incident)
        ? t('title.groupsBelowCost', { count: incident.groups.length, names: localList(incident.groups) })
        : t('title.modelsBelowCost', { count: incident.members.count, names: namesOf(incident, t) }),
    mend: (incident) =>
      isOfGroups(incident)
        ? { label: 'groups', link: { to: '/setting', search: { tab: 'operation', keyword: 'GroupRatio' } } }
        : {
            label: 'price',
            link: { to: '/models', search: { price: incident.members.first[0]?.name ?? '' } },
          },
  },
  balance: {
    title: (incident, t) =>
      incident.members.count === 1
        ? t('title.balance', { name: namesOf(incident, t) })
        : t('title.balanceMany', { count: incident.members.count, names: namesOf(incident, t) }),
    mend: ({ members: { first, count } }) =>
      count === 1
        ? { label: 'balance', link: { to: '/user/edit/$id', params: { id: String(first[0]?.id ?? 0) } } }
        : { label: 'users', link: { to: '/user', search: { sort: 'quota' } } },
  },
  untested: {
    title: (incident, t) =>
      t('title.untested', { count: incident.members.count, names: namesOf(incident, t) }),
    mend: mendChannel,
  },
}

/** From this level on all calls of the cause fail. */
const failingLevel = 3

/** The colour of an incident; one that is only to look at has none. */
export function incidentTone({ level, state }: Pick<Incident, 'level' | 'state'>): Tone {
  if (state !== 'open' || level === 0) return 'neutral'
  return level >= failingLevel ? 'bad' : 'warn'
}

function isKnown(kind: string): kind is IncidentKind {
  return Object.hasOwn(incidentKinds, kind)
}

/** The first names of the members, and how many more there are. */
function namesOf({ members: { first, count }, name }: Incident, t: T): string {
  const names = first.map((member) => member.name || (member.id > 0 ? `#${member.id}` : name))
  const rest = count - first.length
  const text = localList(names.filter((each) => each !== ''))
  return rest > 0 ? t('andMore', { names: text, number: formatInteger(rest) }) : text
}

/** What the console says of incidents, in the reader's language. */
export function useIncidentWords() {
  const { t } = useTranslation('incidents')
  const display = useMoneyDisplay()
  return {
    /** One of a newer node by its own word. */
    title: (incident: Incident) =>
      isKnown(incident.kind) ? words[incident.kind].title(incident, t) : incident.kind,
    reason: reasonOf,
    losses: (incident: Incident) => lossesOf(incident, display, t),
    concerned: (incident: Incident) => concernedOf(incident, t),
    mend: (incident: Incident) => (isKnown(incident.kind) ? words[incident.kind].mend(incident) : undefined),
  }
}

function reasonOf({ reason_code: code, reason_params }: Incident): string {
  if (!isChannelReasonCode(code)) return ''
  const params: ChannelReasonParams = reason_params
  return capitalizeSentence(channelReasonText({ code, params }, currentLanguage()))
}

/** Lost calls and money; empty where nothing was lost. */
function lossesOf(
  { calls_lost, money_lost, kind }: Incident,
  display: MoneyDisplay,
  t: T,
): readonly string[] {
  const money = formatQuota(money_lost, display)
  return [
    ...(calls_lost > 0 ? [t('lost.calls', { count: calls_lost, number: formatInteger(calls_lost) })] : []),
    ...(money_lost > 0 ? [t(kind === 'below-cost' ? 'lost.margin' : 'lost.money', { money })] : []),
  ]
}

/** Users and models of the lost calls. */
function concernedOf({ users, models }: Incident, t: T): readonly string[] {
  const list = (names: readonly string[], count: number) => {
    const known = names.filter((name) => name !== '')
    const rest = count - known.length
    if (known.length === 0) return ''
    return rest > 0
      ? t('andMore', { names: localList(known), number: formatInteger(rest) })
      : localList(known)
  }
  const names = list(
    users.first.map(({ name }) => name),
    users.count,
  )
  return [
    ...(users.count > 0
      ? [names === '' ? t('concerned.users', { count: users.count }) : t('concerned.named', { names })]
      : []),
    ...(models.count > 0 ? [t('concerned.models', { names: list(models.first, models.count) })] : []),
  ]
}
