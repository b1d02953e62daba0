import type { Token } from '@tollgate/api'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Notice } from '../../components/ui/tag.tsx'
import { KeysDialog } from './setup/lazy-keys-dialog.ts'

export interface CreatedTokens {
  readonly tokens: readonly Token[]
  readonly requested: number
  /** Error that ended a batch before its time; `undefined` also when the person ended it. */
  readonly error: Error | undefined
}

interface CreatedTokensDialogProps {
  readonly created: CreatedTokens
  readonly onClose: () => void
}

/** New keys, and how many of those that were asked for they are. */
export function CreatedTokensDialog({ created, onClose }: CreatedTokensDialogProps) {
  const { t } = useTranslation('tokens')
  const { tokens, requested, error } = created
  const count = tokens.length
  return (
    <Suspense>
      <KeysDialog
        tokens={tokens}
        onClose={onClose}
        title={
          count > 1
            ? t('created.titleMany', { count })
            : t('created.titleOne', { name: tokens[0]?.name ?? '' })
        }
        description={t('created.description', { count })}
        notice={
          count < requested && (
            <Notice tone="warn" title={t('created.partly', { count, requested })}>
              {error?.message}
            </Notice>
          )
        }
      />
    </Suspense>
  )
}
