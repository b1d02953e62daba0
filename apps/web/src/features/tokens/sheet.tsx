import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import type { Token } from '@tollgate/api'
import { type ReactNode, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { RunProgress } from '../../components/data-table/index.ts'
import { CallsByFault } from '../../components/ended-calls/index.ts'
import { baseOf, FormSheet, RecordSheet, useSaveForm } from '../../components/form/index.ts'
import { KeyValue } from '../../components/ui/card.tsx'
import { Money } from '../../components/ui/money.tsx'
import { QueryBoundary } from '../../components/ui/query-boundary.tsx'
import { Skeleton } from '../../components/ui/states.tsx'
import { Notice } from '../../components/ui/tag.tsx'
import { failuresOf, resultsOf } from '../../lib/api/run-sequentially.ts'
import { formatDateTime } from '../../lib/format/format.ts'
import { secondsNow } from '../../lib/server-clock.ts'
import { createToken, endedCallsQuery, tokenApi, updateToken } from './api.ts'
import { KeyCell, LastUsedCell } from './cells.tsx'
import { type CreatedTokens, CreatedTokensDialog } from './created-dialog.tsx'
import { batchNames, randomBelow } from './form/batch.ts'
import type { TokenFieldProps } from './form/field-props.ts'
import { TokenFields, useCheckToken } from './form/token-fields.tsx'
import {
  blankForm,
  changesSomething,
  couldWork,
  createBodyOf,
  fieldOf,
  formOf,
  type TokenForm,
  updateBodyOf,
} from './form/token-form.ts'
import { Rotation } from './rotation.tsx'
import { stateOf } from './token-state.ts'
import { useRun } from './use-run.ts'

const route = getRouteApi('/console/token/edit/$id')

/** One new key, or many of a kind; what came of it is shown at once, ready to be copied. */
export function CreateTokenSheet(): ReactNode {
  const [created, setCreated] = useState<CreatedTokens>()
  const navigate = useNavigate()
  const close = () => void navigate({ to: '/token', search: true })
  if (created) return <CreatedTokensDialog created={created} onClose={close} />
  return <CreateForm onClose={close} onCreated={setCreated} />
}

interface CreateFormProps {
  readonly onClose: () => void
  readonly onCreated: (created: CreatedTokens) => void
}

function CreateForm({ onClose, onCreated }: CreateFormProps) {
  const { t } = useTranslation('tokens')
  const client = useQueryClient()
  const run = useRun()
  const saveForm = useSaveForm<TokenForm, CreatedTokens>({
    start: blankForm,
    check: useCheckToken(),
    fieldOf,
    save: (form) => createInOrder(form, run.start),
    onSaved: (created) => {
      onCreated(created)
      void tokenApi.lists.refresh(client)
    },
  })
  const count = saveForm.form.watch('count') ?? 1
  const batch = run.state && run.state.total > 1 ? run.state : undefined
  const submitLabel = batch
    ? t('create.running', { done: batch.done, total: batch.total })
    : count > 1
      ? t('create.submit', { count })
      : t('create.title')
  return (
    <FormSheet
      // Closing during a run ends it and asks nothing: what was created by then is shown.
      saveForm={{ ...saveForm, dirty: saveForm.dirty && !run.state }}
      onClose={run.state ? run.stop : onClose}
      title={t('create.title')}
      submitLabel={submitLabel}
      footer={
        batch && (
          <span className="max-sm:hidden">
            <RunProgress {...batch} label={submitLabel} />
          </span>
        )
      }
    >
      <fieldset disabled={batch !== undefined} className="flex flex-col gap-5">
        <TokenFields form={saveForm.form} />
      </fieldset>
    </FormSheet>
  )
}

/** One after the other; the first failure ends the run, and is its result when nothing was created. */
async function createInOrder(
  form: TokenForm,
  start: ReturnType<typeof useRun>['start'],
): Promise<CreatedTokens> {
  const body = createBodyOf(form)
  const names = batchNames(body.name, form.count ?? 1, randomBelow)
  const outcomes = await start(names, (name) => createToken({ ...body, name }), { stopAtFailure: true })
  const tokens = resultsOf(outcomes)
  const error = failuresOf(outcomes)[0]?.error
  if (tokens.length === 0 && error) throw error
  return { tokens, requested: names.length, error }
}

/** A stored key: what it has done, and everything that can be changed about it. */
export function EditTokenSheet(): ReactNode {
  const { id } = route.useParams()
  // Another key is another form.
  return <EditSheet key={id} id={Number(id)} />
}

function EditSheet({ id }: { readonly id: number }) {
  const { t } = useTranslation('tokens')
  const navigate = useNavigate()
  const query = useQuery(tokenApi.one(useQueryClient(), id))
  const close = () => void navigate({ to: '/token', search: true })
  return (
    <RecordSheet query={query} title={t('edit.title')} onClose={close}>
      {(token) => <EditForm token={token} onClose={close} />}
    </RecordSheet>
  )
}

interface EditFormProps {
  readonly token: Token
  readonly onClose: () => void
}

function EditForm({ token, onClose }: EditFormProps) {
  const { t } = useTranslation('tokens')
  const client = useQueryClient()
  const start = formOf(token)
  const saveForm = useSaveForm<TokenForm, Token>({
    start,
    check: useCheckToken(start),
    fieldOf,
    save: async (form, { started, seen }) => {
      const body = updateBodyOf(token, form, secondsNow())
      const base = baseOf(createBodyOf(started), body, seen)
      return changesSomething(body) ? await updateToken({ ...body, base }) : token
    },
    onSaved: (response) => {
      tokenApi.lists.saved(client, response)
      onClose()
    },
    successMessage: t('toast.saved'),
  })
  const { form } = saveForm
  return (
    <FormSheet
      saveForm={saveForm}
      closesUntouched
      onClose={onClose}
      title={t('edit.title')}
      description={token.name}
    >
      <StateNotice token={token} form={form} />
      <Facts token={token} />
      <QueryBoundary query={useQuery(endedCallsQuery(token.id))}>
        {(calls) => (
          <Suspense fallback={<Skeleton className="h-16!" />}>
            <CallsByFault calls={calls} of={{ key: token.id }} />
          </Suspense>
        )}
      </QueryBoundary>
      <TokenFields token={token} form={form} />
      {token.frozen_at === 0 && <Rotation token={token} />}
    </FormSheet>
  )
}

/** Explains why the key does not work, and what would make it work again. */
function StateNotice({ token, form }: TokenFieldProps & { readonly token: Token }) {
  const { t } = useTranslation('tokens')
  const values = form.watch()
  const state = stateOf(token)
  if (state === 'enabled') return null
  if (token.frozen_at !== 0)
    return (
      <Notice tone="bad" title={t(`frozen.${token.freeze_cause || 'administrator'}`)}>
        {token.freeze_note !== '' && <p className="wrap-anywhere">{token.freeze_note}</p>}
        <p>{t('frozen.next')}</p>
      </Notice>
    )
  if (state === 'disabled') return <Notice tone="info">{t('edit.disabled')}</Notice>
  if (couldWork(values, secondsNow())) return <Notice tone="good">{t('edit.revives')}</Notice>
  return <Notice tone="warn">{t(`edit.${state}`)}</Notice>
}

function Facts({ token }: { readonly token: Token }) {
  const { t } = useTranslation('tokens')
  return (
    <KeyValue
      className="rounded border bg-sunken px-3 py-2.5"
      items={[
        { label: t('field.key'), value: <KeyCell token={token} /> },
        { label: t('field.used_quota'), value: <Money quota={token.used_quota} /> },
        {
          label: t('field.accessed_time'),
          value: (
            <span className="inline-flex flex-wrap items-center gap-x-3">
              <LastUsedCell token={token} />
              <Link
                to="/log"
                search={{ key: token.id, range: '30d' }}
                className="text-accent-text text-xs hover:underline"
              >
                {t('action.usage')}
              </Link>
            </span>
          ),
        },
        {
          label: t('field.created_time'),
          value: <time className="figures">{formatDateTime(token.created_time)}</time>,
        },
      ]}
    />
  )
}
