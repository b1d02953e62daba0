import { useQueryClient } from '@tanstack/react-query'
import { type Token, tokenStatuses } from '@tollgate/api'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { confirm } from '../../../lib/confirm.ts'
import { type Failure, failuresOf, resultsOf } from '../../../lib/run-in-order.ts'
import { toast } from '../../../lib/toast.ts'
import { deleteToken, dropToken, refreshTokens, setTokenStatus, showToken } from '../api.ts'
import { useRun } from '../use-run.ts'

export type BulkKind = 'enable' | 'disable' | 'delete'

/** What went wrong in a run, for the person to read. */
export interface BulkReport {
  readonly kind: BulkKind
  readonly done: number
  readonly failures: readonly Failure<Token>[]
}

/** The chosen rows, and what is being done to them. */
export function useBulk() {
  const { t } = useTranslation('tokens')
  const client = useQueryClient()
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const [kind, setKind] = useState<BulkKind>('enable')
  const [report, setReport] = useState<BulkReport>()
  const run = useRun()

  const work: Readonly<Record<BulkKind, (token: Token) => Promise<void>>> = {
    enable: async ({ id }) => showToken(client, await setTokenStatus(id, tokenStatuses.enabled)),
    disable: async ({ id }) => showToken(client, await setTokenStatus(id, tokenStatuses.disabled)),
    delete: async ({ id }) => {
      await deleteToken(id)
      dropToken(client, id)
    },
  }

  async function begin(next: BulkKind, tokens: readonly Token[]): Promise<void> {
    setKind(next)
    const outcomes = await run.start(tokens, work[next], { stopAtFailure: false })
    const done = resultsOf(outcomes).length
    const failures = failuresOf(outcomes)
    if (next === 'delete') {
      const gone = new Set(outcomes.flatMap(({ ok, item }) => (ok ? [String(item.id)] : [])))
      setIds((before) => new Set([...before].filter((id) => !gone.has(id))))
      void refreshTokens(client)
    }
    if (failures.length > 0) setReport({ kind: next, done, failures })
    else if (done > 0) toast.success(t(`bulk.${next}Done`, { count: done }))
  }

  return {
    ids,
    /** Choosing other rows ends a run: nothing goes on unseen. */
    select(next: ReadonlySet<string>) {
      run.stop()
      setIds(next)
    },
    kind,
    run,
    begin: (next: BulkKind, tokens: readonly Token[]) => void begin(next, tokens),
    async deleteAll(tokens: readonly Token[]) {
      const count = tokens.length
      const sure = await confirm({
        title: t('bulk.deleteTitle', { count }),
        description: t('delete.description'),
        confirmLabel: t('bulk.deleteConfirm', { count }),
        danger: true,
      })
      if (sure) await begin('delete', tokens)
    },
    report,
    closeReport: () => setReport(undefined),
  }
}

export type Bulk = ReturnType<typeof useBulk>
