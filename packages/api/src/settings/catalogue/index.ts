import { modelSettings } from './models.ts'
import { operationSettings } from './operation.ts'
import { pricingSettings } from './pricing.ts'
import { systemSettings } from './system.ts'

/** Every option of the product. The stored name of a setting is its key here. */
export const settingCatalogue = {
  ...operationSettings,
  ...pricingSettings,
  ...modelSettings,
  ...systemSettings,
}
