import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { calls, type ManyUsersPreview } from '@tollgate/api'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../components/ui/button.tsx'
import { Checkbox } from '../../../components/ui/field/choice.tsx'
import { Field } from '../../../components/ui/field/field.tsx'
import { Input } from '../../../components/ui/field/input.tsx'
import { SegmentedControl } from '../../../components/ui/field/segmented-control.tsx'
import { Dialog } from '../../../components/ui/overlay/dialog.tsx'
import { Notice } from '../../../components/ui/tag.tsx'
import { request } from '../../../lib/api/api-client.ts'
import { formatInteger } from '../../../lib/format/format.ts'
import { hasPart, useUser } from '../../../lib/session/session.ts'
import { toast } from '../../../lib/toast.ts'
import { userLists } from '../api.ts'
import { useChangeText } from '../money/use-balance-change.ts'
import { ChangeFields } from './change-fields.tsx'
import { blankChange, changeKinds, changeOf, type ManyForm, type ManyTarget } from './many-form.ts'
import { ManyPreview } from './many-preview.tsx'

export interface ManyDialogProps {
  readonly ids: readonly number[]
  /** All users that match the list's filter, where they are more than the chosen ones. */
  readonly matching?:
    | { readonly filter: NonNullable<ManyTarget['filter']>; readonly total: number }
    | undefined
  readonly onClose: () => void
}

/** Changes balance, group or limits of many users: what it does is seen before it is done. */
export function ManyDialog({ ids, matching, onClose }: ManyDialogProps): ReactNode {
  const { t } = useTranslation('users')
  const hasMoney = hasPart(useUser(), 'money')
  const [form, setForm] = useState<ManyForm>({ ...blankChange, kind: hasMoney ? 'balance' : 'group' })
  const [isForAll, setForAll] = useState(false)
  const [reason, setReason] = useState('')
  const target = isForAll && matching ? { filter: matching.filter } : { ids: [...ids] }
  const change = changeOf(form)
  const { preview, apply } = useManyChange({ target, change, reason, onClose })
  const data = change && preview.data
  const isCurrent = data !== undefined && !preview.isPlaceholderData && !preview.isFetching
  const problem = apply.error ?? (change ? preview.error : null)
  const users = isForAll ? (matching?.total ?? 0) : ids.length
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('many.title', { count: users })}
      footer={
        <Button
          variant="primary"
          disabled={!isCurrent || data.changed === 0}
          loading={apply.isPending}
          onClick={() => data && apply.mutate(data)}
        >
          <SubmitText form={form} count={isCurrent ? data.changed : users} />
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <div className="self-start">
          <SegmentedControl
            label={t('many.what')}
            value={form.kind}
            options={changeKinds.map((kind) => ({
              value: kind,
              label: t(`many.kind.${kind}`),
              disabled: kind === 'balance' && !hasMoney,
            }))}
            onChange={(kind) => setForm({ ...form, kind })}
          />
        </div>
        <ChangeFields form={form} onChange={setForm} />
        {form.kind === 'balance' && (
          <Field label={t('quota.reason')} hint={t('quota.reasonHint')}>
            <Input value={reason} maxLength={500} onChange={(event) => setReason(event.target.value)} />
          </Field>
        )}
        {matching && (
          <Checkbox
            label={t('many.all', { count: matching.total, total: formatInteger(matching.total) })}
            checked={isForAll}
            onCheckedChange={setForAll}
          />
        )}
        {problem && <Notice tone="bad">{problem.message}</Notice>}
        {data && <ManyPreview preview={data} />}
        <p className="text-muted text-xs">
          {t('many.undoHint')}{' '}
          <Link to="/audit" search={{ action: 'user.update-many' }} className="underline">
            {t('many.audit')}
          </Link>
        </p>
      </div>
    </Dialog>
  )
}

interface ManyChange {
  readonly target: ManyTarget
  readonly change: ReturnType<typeof changeOf>
  readonly reason: string
  readonly onClose: () => void
}

/** The preview of a change, and the step itself, which does what the preview said or nothing. */
function useManyChange({ target, change, reason, onClose }: ManyChange) {
  const { t } = useTranslation('users')
  const client = useQueryClient()
  const preview = useQuery({
    queryKey: ['users', 'many', target, change],
    queryFn: ({ signal }) =>
      request(calls.userAdmin.previewMany, {
        body: { ...target, change: change ?? { kind: 'limits' } },
        signal,
      }),
    enabled: change !== undefined,
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
  const apply = useMutation({
    mutationFn: ({ confirmation }: ManyUsersPreview) =>
      request(calls.userAdmin.changeMany, {
        body: { ...target, change: change ?? { kind: 'limits' }, reason, confirmation },
      }),
    async onSuccess(count) {
      await userLists.refresh(client)
      toast.success(t('many.done', { count }))
      onClose()
    },
    onError: () => void preview.refetch(),
    meta: { silent: true },
  })
  return { preview, apply }
}

interface SubmitTextProps {
  readonly form: ManyForm
  /** Users that it changes; before that is known, those that are chosen. */
  readonly count: number
}

/** The verb with its figures: "Add $10.00 to 20 users". */
function SubmitText({ form, count }: SubmitTextProps) {
  const { t } = useTranslation('users')
  const changeText = useChangeText()
  if (form.kind === 'balance' && form.amount)
    return t('many.submitBalance', { count, change: changeText(form.amount) })
  return t('many.submit', { count })
}
