import 'reflect-metadata';
import { All, Controller, Module, Req, Res } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Request, Response } from 'express';

import { respond } from './app.ts';
import { listener } from './node.ts';

@Controller()
class Platform {
  @All(['webhooks{/*path}', 'login/*path'])
  respond(@Req() request: Request, @Res() response: Response) {
    return listener(respond)(request, response);
  }
}

@Module({ controllers: [Platform] })
class App {}

const app = await NestFactory.create<NestExpressApplication>(App, { rawBody: true });
app.useBodyParser('json', { limit: '4mb' });
await app.listen(Number(process.env['PORT'] ?? 3000));
