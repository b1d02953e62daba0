import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../../components/ui/button.tsx'
import { Field } from '../../../../components/ui/field.tsx'
import { Input } from '../../../../components/ui/input.tsx'
import { Select } from '../../../../components/ui/select.tsx'
import { type BatchPrice, type BatchProblem, batchModes, batchProblem } from '../../model/batch-prices.ts'

export interface BatchPriceFormProps {
  readonly models: readonly string[]
  readonly onApply: (price: BatchPrice) => void
}

const blank: BatchPrice = { mode: 'both', first: '', second: '' }

/** One price for all chosen models. */
export function BatchPriceForm({ models, onApply }: BatchPriceFormProps) {
  const { t } = useTranslation('settings')
  const [price, setPrice] = useState(blank)
  const [problem, setProblem] = useState<BatchProblem>()
  function change(part: Partial<BatchPrice>): void {
    setPrice({ ...price, ...part })
    setProblem(undefined)
  }
  function apply(): void {
    const found = batchProblem(models, price)
    setProblem(found)
    if (found !== undefined) return
    onApply(price)
    setPrice({ ...blank, mode: price.mode })
  }
  const firstName = price.mode === 'both' ? 'ratio' : price.mode
  return (
    <div className="flex flex-col gap-3">
      <div className="grid items-end gap-3 sm:grid-cols-3">
        <Field label={t('pricing.batch.set')}>
          <Select
            value={price.mode}
            onValueChange={(mode) => change({ mode })}
            options={batchModes.map((mode) => ({ value: mode, label: t(`pricing.batch.${mode}`) }))}
          />
        </Field>
        <Field label={t(`pricing.field.${firstName}`)}>
          <Input
            inputMode="decimal"
            value={price.first}
            onChange={(event) => change({ first: event.target.value })}
          />
        </Field>
        {price.mode === 'both' && (
          <Field label={t('pricing.field.completion')}>
            <Input
              inputMode="decimal"
              value={price.second}
              onChange={(event) => change({ second: event.target.value })}
            />
          </Field>
        )}
      </div>
      {problem && (
        <p role="alert" className="text-bad text-xs">
          {t(`pricing.problem.${problem}`)}
        </p>
      )}
      <Button className="self-start" onClick={apply}>
        {t('pricing.batch.apply', { count: models.length })}
      </Button>
    </div>
  )
}
