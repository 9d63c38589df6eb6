import { type GenericSchema, string } from 'valibot';

const text = string();

/**
 * Reads an id. The platform writes some as numbers; the SDK returns non-empty strings only.
 *
 * It is a string schema that converts the value first. A pipe of a union and a transform would add as many bytes
 * to a bundle as all the rest that an endpoint needs of valibot.
 */
export const idSchema: GenericSchema<unknown, string> = {
  ...text,
  '~run': (dataset, config) => {
    const { value } = dataset;
    return text['~run'](
      { ...dataset, value: typeof value === 'number' ? `${value}` : value || undefined },
      config,
    );
  },
};
