import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { calls, type FormerKeyRow, type Token } from '@tollgate/api'
import { RotateCw } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../components/ui/button.tsx'
import { Select } from '../../components/ui/select/select.tsx'
import { request } from '../../lib/api/api-client.ts'
import { useConfirmedMutation } from '../../lib/confirmed-mutation.ts'
import { formatDateTime } from '../../lib/format/format.ts'
import { toast } from '../../lib/toast.ts'
import { tokenApi } from './api.ts'
import { KeysDialog } from './setup/lazy-keys-dialog.ts'

/** Seconds for which the former key may work beside its successor. */
const overlaps = { now: 0, hour: 3600, day: 86_400, week: 7 * 86_400, month: 30 * 86_400 } as const

const formerKeysQuery = (id: number) =>
  queryOptions({
    queryKey: ['tokens', 'former', id],
    queryFn: ({ signal }) => request(calls.tokens.formerKeys, { params: { id }, signal }),
  })

interface RotationProps {
  readonly token: Token
}

/** Gives the key another text, which is seen once, and lists the former ones that still work. */
export function Rotation({ token }: RotationProps) {
  const { t } = useTranslation('tokens')
  const client = useQueryClient()
  const [overlap, setOverlap] = useState<number>(overlaps.day)
  const [rotated, setRotated] = useState<Token>()
  const former = useQuery(formerKeysQuery(token.id))
  const rotate = useMutation({
    mutationFn: () =>
      request(calls.tokens.rotate, { params: { id: token.id }, body: { overlap_seconds: overlap } }),
    onSuccess: (response) => {
      setRotated(response)
      void tokenApi.lists.refresh(client)
      void former.refetch()
    },
    onError: (error) => toast.error(error.message),
  })
  return (
    <section aria-label={t('rotation.title')} className="border-t pt-4">
      <h3 className="font-semibold text-sm">{t('rotation.title')}</h3>
      <p className="mt-0.5 mb-3 text-muted text-xs">{t('rotation.hint')}</p>
      <div className="flex flex-wrap items-center gap-2">
        <Select
          aria-label={t('rotation.overlap')}
          value={overlap}
          onValueChange={setOverlap}
          options={Object.entries(overlaps).map(([name, value]) => ({
            value,
            label: t(`rotation.after.${name as keyof typeof overlaps}`),
          }))}
        />
        <Button icon={RotateCw} loading={rotate.isPending} onClick={() => rotate.mutate()}>
          {t('rotation.rotate')}
        </Button>
      </div>
      {former.data !== undefined && former.data.length > 0 && (
        <FormerKeys token={token} rows={former.data} onEnded={() => void former.refetch()} />
      )}
      <Suspense>
        {rotated && (
          <KeysDialog
            tokens={[rotated]}
            onClose={() => setRotated(undefined)}
            title={t('rotation.done', { name: token.name })}
            description={t('created.description', { count: 1 })}
          />
        )}
      </Suspense>
    </section>
  )
}

interface FormerKeysProps extends RotationProps {
  readonly rows: readonly FormerKeyRow[]
  readonly onEnded: () => void
}

function FormerKeys({ token: { id, name }, rows, onEnded }: FormerKeysProps) {
  const { t } = useTranslation('tokens')
  const end = useConfirmedMutation(
    {
      title: t('rotation.endTitle', { name }),
      description: t('rotation.endDescription'),
      confirmLabel: t('rotation.end'),
      danger: true,
    },
    {
      mutationFn: () => request(calls.tokens.endFormerKeys, { params: { id } }),
      onSuccess: () => {
        toast.success(t('rotation.ended'))
        onEnded()
      },
      onError: (error) => toast.error(error.message),
    },
  )
  return (
    <div className="mt-3 rounded border bg-sunken px-3 py-2.5">
      <ul className="flex flex-col gap-1 text-sm">
        {rows.map(({ key, ends_at: at, replaced_at: since }) => (
          <li key={`${key} ${since}`} className="flex flex-wrap items-baseline gap-x-3">
            <span className="font-mono">sk-{key}</span>
            <span className="figures text-muted text-xs">
              {t('rotation.until', { time: formatDateTime(at) })}
            </span>
          </li>
        ))}
      </ul>
      <Button size="sm" className="mt-2" loading={end.isPending} onClick={end.run}>
        {t('rotation.end')}
      </Button>
    </div>
  )
}
