import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Sheet } from '../ui/sheet.tsx'

export interface FilterSheetProps {
  readonly onClose: () => void
  readonly children: ReactNode
}

/** The filters on a phone, one under the other. */
export function FilterSheet({ onClose, children }: FilterSheetProps) {
  const { t } = useTranslation()
  return (
    <Sheet open onClose={onClose} title={t('list.filters')}>
      <div className="flex flex-col items-start gap-3">{children}</div>
    </Sheet>
  )
}
