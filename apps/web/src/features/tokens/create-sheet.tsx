import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { RunProgress } from '../../components/data-table/index.ts'
import { FormSheet, useSaveForm } from '../../components/form/index.ts'
import { failuresOf, resultsOf } from '../../lib/run-sequentially.ts'
import { createToken, tokenApi } from './api.ts'
import { type CreatedTokens, CreatedTokensDialog } from './created-dialog.tsx'
import { batchNames, randomBelow } from './form/batch.ts'
import { TokenFields, useCheckToken } from './form/token-fields.tsx'
import { blankForm, createBodyOf, fieldOf, type TokenForm } from './form/token-form.ts'
import { useRun } from './use-run.ts'

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

/** One after the other; the first failure ends it, and is the answer when nothing was created. */
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
