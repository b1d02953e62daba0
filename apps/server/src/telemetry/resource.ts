import {
  defaultResource,
  detectResources,
  envDetector,
  type Resource,
  resourceFromAttributes,
} from '@opentelemetry/resources'

/** Returns the attributes by which a collector knows this node; `OTEL_RESOURCE_ATTRIBUTES` adds to it. */
export function resourceOf({ version, node }: { readonly version: string; readonly node: string }): Resource {
  return defaultResource()
    .merge(
      resourceFromAttributes({
        'service.name': 'tollgate',
        'service.version': version,
        'service.instance.id': node,
      }),
    )
    .merge(detectResources({ detectors: [envDetector] }))
}
