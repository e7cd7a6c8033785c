import {Controller, Description, Get, PathParams, Returns} from "@tsed/common";
import {User} from "./user";
import {Missing} from "./missing";

/** Users of the site. */
@Controller("/users").Name("users")
export class Users {
  @CollectionOf(Number).MinItems(1)
  private scores: number[];

  /** One user. */
  @Get("/:id")
  @Returns(200, Array).Of(User).Groups("all")
  @(Returns(404, Missing)
    .Description("Not found"))
  async one(@PathParams("id").Name("x") id: string, @Rest() ...rest: string[]): Promise<User> {
    return this.find(id);
  }

  // No name is that of a decorator's call.
  @Returns(204)
    .Description("Gone")
  @Get("/")
  find(id: string): User {
    return lookUp(id);
  }
}
