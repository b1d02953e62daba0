import { calls, type RefusedModel } from '@tollgate/api'
import { priceEditChanges } from '../../../billing/pricing/changes/price-edit.ts'
import { costChanges } from '../../../billing/pricing/model-price.ts'
import type { RenameModel } from '../../../channels/manage/rename-model.ts'
import type { ChannelDirectory } from '../../../channels/routing/routing-types.ts'
import { servedModels } from '../../../models/served-models.ts'
import type { ChangeOptions } from '../../../settings/change-options.ts'
import type { SettingsReader } from '../../../settings/settings.ts'
import { type ConsoleRoute, route } from '../route.ts'

export interface ModelPriceDependencies {
  readonly settings: SettingsReader
  readonly channels: Pick<ChannelDirectory, 'snapshot'>
  readonly changeOptions: Pick<ChangeOptions, 'change'>
  readonly refusedModels: () => Promise<readonly RefusedModel[]>
  readonly renameModel: RenameModel
}

const { modelNames, modelPrices } = calls

/** Routes of the prices of served models, for administrators: a price is stored as the ratios of the options. */
export function modelPriceRoutes(deps: ModelPriceDependencies): ConsoleRoute[] {
  const { settings, channels, changeOptions, refusedModels, renameModel } = deps
  return [
    route(modelPrices.list, () => [...servedModels(settings.current, channels.snapshot)]),
    route(modelPrices.save, ({ body }, { actor }) =>
      changeOptions.change(
        actor,
        (now) => [...priceEditChanges(now, body), ...costChanges(now, body.costs)],
        body,
        { action: 'model.price', target: { kind: 'model', name: body.model_name } },
      ),
    ),
    route(modelNames.preview, ({ body: { model_name: from, new_name: to } }) =>
      renameModel.preview({ from, to }),
    ),
    route(modelNames.rename, ({ body: { model_name: from, new_name: to, ...consent } }, { actor }) =>
      renameModel.rename(actor, { from, to }, consent),
    ),
    route(modelPrices.refused, async () => [...(await refusedModels())]),
  ]
}
