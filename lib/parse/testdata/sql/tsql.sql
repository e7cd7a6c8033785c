IF EXISTS (SELECT name FROM master.dbo.sysdatabases WHERE name = N'Shop')
BEGIN
	DROP DATABASE [Shop];
END
GO

USE [Shop];
GO

/* What is sold. */
CREATE TABLE [dbo].[Item]
(
    [Id] INT NOT NULL IDENTITY,
    [Name] NVARCHAR(160) NOT NULL,
    CONSTRAINT [PK_Item] PRIMARY KEY CLUSTERED ([Id])
);
GO

CREATE INDEX [IX_Name] ON [dbo].[Item] ([Name]);
GO

-- All items of a name.
CREATE PROCEDURE [dbo].[FindItem]
    @Name NVARCHAR(160),
    @Top INT = 10
AS
BEGIN
    SET NOCOUNT ON;
    SELECT TOP (@Top) * FROM [dbo].[Item] WHERE [Name] = @Name;
END
GO

CREATE VIEW [dbo].[Names] AS SELECT [Name] FROM [dbo].[Item];
GO

CREATE TABLE [Last] ([Id] INT);
GO
