import { queryOptions, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { calls, type FoundKey, keyHistoryDays, nameOf, neverExpires, tokenStatuses } from '@tollgate/api'
import { Snowflake } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { RecordSheet } from '../../components/form/index.ts'
import { foundKeysKey, useFreezeKey } from '../../components/found-key/index.ts'
import { Button } from '../../components/ui/button.tsx'
import { KeyValue } from '../../components/ui/card.tsx'
import { Input } from '../../components/ui/field/input.tsx'
import { Money } from '../../components/ui/money.tsx'
import { Sheet } from '../../components/ui/overlay/sheet.tsx'
import { RelativeTime } from '../../components/ui/relative-time.tsx'
import { Notice, StatusDot } from '../../components/ui/tag.tsx'
import { localListSeparator } from '../../i18n/local-list.ts'
import { request } from '../../lib/api/api-client.ts'
import { formatDateTime, formatInteger } from '../../lib/format/format.ts'
import { clockHere } from '../../lib/format/reader-clock.ts'

const route = getRouteApi('/console/user/key/$id')

const keyQuery = (id: number) =>
  queryOptions({
    queryKey: [...foundKeysKey, id],
    queryFn: ({ signal }) => request(calls.keys.get, { params: { id }, query: clockHere(), signal }),
  })

/** A key of somebody: whose it is, what was done with it and from where, and the freeze of a leaked one. */
export function KeySheet(): ReactNode {
  const { t } = useTranslation('users')
  const { id } = route.useParams()
  const navigate = useNavigate()
  const query = useQuery(keyQuery(Number(id)))
  const sheet = { title: t('key.title'), onClose: () => void navigate({ to: '/user', search: true }) }
  return (
    <RecordSheet query={query} {...sheet}>
      {(key) => (
        <Sheet open {...sheet} description={key.name}>
          <div className="flex flex-col gap-5">
            <State found={key} />
            <Facts found={key} />
            <Addresses found={key} />
            {key.may_freeze && <Freeze key={key.frozen_at} found={key} />}
          </div>
        </Sheet>
      )}
    </RecordSheet>
  )
}

interface PartProps {
  readonly found: FoundKey
}

/** Says why the key does not work. */
function State({ found }: PartProps) {
  const { t } = useTranslation('users')
  if (found.deleted_at !== 0)
    return <Notice tone="info">{t('key.deleted', { time: formatDateTime(found.deleted_at) })}</Notice>
  if (found.frozen_at === 0) return null
  const text = t(`key.cause.${found.freeze_cause || 'administrator'}`, {
    time: formatDateTime(found.frozen_at),
  })
  return (
    <Notice tone="warn" title={text}>
      {found.freeze_note !== '' && <span className="wrap-anywhere">{found.freeze_note}</span>}
    </Notice>
  )
}

function Facts({ found }: PartProps) {
  const { t } = useTranslation('users')
  const status = nameOf(tokenStatuses, found.status) ?? 'disabled'
  const isDead = found.deleted_at !== 0 || found.frozen_at !== 0
  const wasUsed = found.accessed_time > found.created_time || found.calls_month > 0
  return (
    <KeyValue
      className="rounded border bg-sunken px-3 py-2.5"
      items={[
        {
          label: t('key.owner'),
          value: (
            <Link
              to="/user/edit/$id"
              params={{ id: String(found.user_id) }}
              search={true}
              className="wrap-anywhere text-accent-text hover:underline"
            >
              {found.username}
            </Link>
          ),
        },
        { label: t('key.key'), value: <span className="wrap-anywhere font-mono">sk-{found.key}</span> },
        !isDead && {
          label: t('column.status'),
          value: (
            <StatusDot tone={status === 'enabled' ? 'good' : 'neutral'}>
              {t(`key.status.${status}`)}
            </StatusDot>
          ),
        },
        {
          label: t('key.lastUse'),
          value: wasUsed ? <RelativeTime at={found.accessed_time} /> : t('key.neverUsed'),
        },
        {
          label: t('key.spend'),
          value: (
            <span className="inline-flex flex-wrap gap-x-3">
              <Money quota={found.quota_today} single />
              <span className="text-muted">
                {t('key.month', { days: keyHistoryDays })} <Money quota={found.quota_month} single />
                {localListSeparator()}
                {t('key.calls', { count: found.calls_month, number: formatInteger(found.calls_month) })}
              </span>
            </span>
          ),
        },
        {
          label: t('key.expires'),
          value:
            found.expired_time === neverExpires ? (
              t('key.never')
            ) : (
              <time className="figures">{formatDateTime(found.expired_time)}</time>
            ),
        },
        {
          label: t('column.created_at'),
          value: <time className="figures">{formatDateTime(found.created_time)}</time>,
        },
        {
          label: t('key.log'),
          value: (
            <Link
              to="/log"
              search={{ user: found.username, key: found.id, range: '30d' }}
              className="text-accent-text hover:underline"
            >
              {t('key.openLog')}
            </Link>
          ),
        },
      ]}
    />
  )
}

/** From where the key was used. */
function Addresses({ found: { addresses } }: PartProps) {
  const { t } = useTranslation('users')
  return (
    <section aria-label={t('key.addresses')} className="border-t pt-4">
      <h3 className="font-semibold text-sm">{t('key.addresses')}</h3>
      <p className="mt-0.5 mb-3 text-muted text-xs">{t('key.addressesHint', { days: keyHistoryDays })}</p>
      {addresses.length === 0 ? (
        <p className="text-muted text-sm">{t('key.noAddresses')}</p>
      ) : (
        <ul className="flex flex-col">
          {addresses.map(({ address, calls: count, last_seen_at: at }) => (
            <li key={address} className="flex items-baseline gap-3 border-b py-1.5 text-sm last:border-b-0">
              <span className="min-w-0 flex-1 truncate font-mono" title={address}>
                {address}
              </span>
              <span className="figures whitespace-nowrap text-muted text-xs">
                {t('key.calls', { count, number: formatInteger(count) })}
              </span>
              <RelativeTime at={at} className="w-28 whitespace-nowrap text-right text-muted text-xs" />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** The freeze, with a note that the owner reads; or its end. */
function Freeze({ found }: PartProps) {
  const { t } = useTranslation('users')
  const { freeze, unfreeze } = useFreezeKey()
  const [note, setNote] = useState('')
  const [busy, setBusy] = useState(false)
  const noteId = useId()
  async function run(act: () => Promise<void>): Promise<void> {
    setBusy(true)
    await act()
    setBusy(false)
  }
  if (found.frozen_at !== 0)
    return (
      <section aria-label={t('key.unfreeze')} className="border-t pt-4">
        <p className="mb-3 text-muted text-xs">{t('key.unfreezeHint')}</p>
        <Button loading={busy} onClick={() => void run(() => unfreeze(found))}>
          {t('key.unfreeze')}
        </Button>
      </section>
    )
  return (
    <section aria-label={t('key.freeze')} className="border-t pt-4">
      <label htmlFor={noteId} className="font-semibold text-sm">
        {t('key.note')}
      </label>
      <p className="mt-0.5 mb-2 text-muted text-xs">{t('key.noteHint')}</p>
      <div className="flex flex-wrap gap-2">
        <Input
          id={noteId}
          value={note}
          maxLength={500}
          className="min-w-0 flex-1"
          onChange={(event) => setNote(event.target.value)}
        />
        <Button
          variant="danger"
          icon={Snowflake}
          loading={busy}
          onClick={() => void run(() => freeze(found, note))}
        >
          {t('key.freeze')}
        </Button>
      </div>
    </section>
  )
}
