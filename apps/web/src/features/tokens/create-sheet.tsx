import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Token } from '@tollgate/api'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { RunProgress } from '../../components/data-table/index.ts'
import { Sheet } from '../../components/ui/sheet.tsx'
import { Notice } from '../../components/ui/tag.tsx'
import { failuresOf, resultsOf } from '../../lib/run-in-order.ts'
import { createToken, tokenLists } from './api.ts'
import { batchNames, randomBelow } from './form/batch.ts'
import { TokenFields } from './form/token-fields.tsx'
import { blankForm, createBodyOf, isChanged } from './form/token-form.ts'
import { useChecked } from './form/use-checked.ts'
import { KeysDialog } from './setup/keys-dialog.tsx'
import { useRun } from './use-run.ts'

interface Created {
  readonly tokens: readonly Token[]
  readonly asked: number
  /** What ended a batch before its time; `undefined` also when the person did. */
  readonly error: Error | undefined
}

/** One new key, or many of a kind; what came of it is shown at once, ready to be copied. */
export function CreateTokenSheet(): ReactNode {
  const { t } = useTranslation('tokens')
  const client = useQueryClient()
  const navigate = useNavigate()
  const [form, setForm] = useState(blankForm)
  const [created, setCreated] = useState<Created>()
  const checked = useChecked(form)
  const run = useRun()
  const count = form.count ?? 1
  const close = () => void navigate({ to: '/token', search: true })

  async function create(): Promise<void> {
    if (!checked.check()) return
    const body = createBodyOf(form)
    const names = batchNames(body.name, count, randomBelow)
    const outcomes = await run.start(names, (name) => createToken({ ...body, name }), { stopAtFailure: true })
    const tokens = resultsOf(outcomes)
    const error = failuresOf(outcomes)[0]?.error
    if (tokens.length === 0) return checked.setRefusal(error)
    setCreated({ tokens, asked: names.length, error })
    await tokenLists.refresh(client)
  }

  const batch = run.state && run.state.total > 1 ? run.state : undefined
  const submitLabel = batch
    ? t('create.running', { done: batch.done, total: batch.total })
    : count > 1
      ? t('create.submit', { count })
      : t('create.title')
  return (
    <>
      <Sheet
        open={!created}
        onClose={run.state ? run.stop : close}
        title={t('create.title')}
        dirty={!run.state && isChanged(form, blankForm)}
        onSubmit={() => void create()}
        submitLabel={submitLabel}
        submitting={run.state !== undefined}
        footer={
          batch && (
            <span className="max-sm:hidden">
              <RunProgress {...batch} label={submitLabel} />
            </span>
          )
        }
      >
        <fieldset ref={checked.container} disabled={batch !== undefined} className="flex flex-col gap-5">
          {checked.failure && <Notice tone="bad">{checked.failure.message}</Notice>}
          <TokenFields
            form={form}
            onChange={(part) => setForm({ ...form, ...part })}
            errors={checked.errors}
          />
        </fieldset>
      </Sheet>
      {created && <CreatedDialog created={created} onClose={close} />}
    </>
  )
}

function CreatedDialog({ created, onClose }: { readonly created: Created; readonly onClose: () => void }) {
  const { t } = useTranslation('tokens')
  const { tokens, asked, error } = created
  const count = tokens.length
  return (
    <KeysDialog
      tokens={tokens}
      onClose={onClose}
      title={
        count > 1 ? t('created.titleMany', { count }) : t('created.titleOne', { name: tokens[0]?.name ?? '' })
      }
      description={t('created.description', { count })}
      notice={
        count < asked && (
          <Notice tone="warn" title={t('created.partly', { count, asked })}>
            {error?.message}
          </Notice>
        )
      }
    />
  )
}
